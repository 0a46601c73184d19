"""What the graph can reach at best, and what the walk makes of it."""
