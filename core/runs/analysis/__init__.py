"""Figures of a run: leaderboard, slices, and comparisons of indexes."""
