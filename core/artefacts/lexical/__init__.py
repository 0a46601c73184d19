"""Words of passages, and the lexical scores made from them."""
