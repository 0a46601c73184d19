"""The graph as it is drawn in the browser."""
