"""Communities and summaries over the entity graph."""
