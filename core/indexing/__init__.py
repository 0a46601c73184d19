"""Building an index: from documents to a version that can be read."""
