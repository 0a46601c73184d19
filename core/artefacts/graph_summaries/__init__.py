"""Communities and summaries made over the entity graph."""
