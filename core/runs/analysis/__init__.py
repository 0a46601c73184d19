"""Figures of a run: standings, slices, and comparisons of indexes."""
