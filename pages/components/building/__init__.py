"""The Build page: making an index and looking at what came of it."""
