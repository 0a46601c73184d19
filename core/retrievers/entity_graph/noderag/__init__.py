"""NodeRAG: a walk over nodes of many kinds, and how they are drawn."""
