"""Construction of the graph: pseudo-queries, and the edges that join them (HopRAG 3.2)."""
