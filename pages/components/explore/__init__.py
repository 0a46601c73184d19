"""The Explore page: the graph of an index."""
