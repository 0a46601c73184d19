"""Small JSON documents of an index, and how their values are read."""
