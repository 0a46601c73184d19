"""Views of a run: funnel, slices, curves, cost, and another index."""
