"""Trees of clusters and their summaries."""
