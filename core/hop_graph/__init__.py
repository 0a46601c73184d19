"""How the graph is made: pseudo-queries, and the edges that join them (HopRAG 3.2)."""
