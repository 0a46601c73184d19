"""HopRAG (arXiv 2502.12442): the walk over the graph, and who chooses its edges."""
