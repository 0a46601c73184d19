"""Exploration of the graph: a neighbourhood, its layout, and paths between two passages."""
