"""Upper bound of recall on the hop graph, and how close the walk comes to it."""
