"""Words of passages, and lexical scores."""
