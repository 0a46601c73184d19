"""Reviews as rows of a SQLite file beside an index."""
