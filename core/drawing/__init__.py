"""The graph for the eye: places, neighbourhoods, and files that others can draw."""
