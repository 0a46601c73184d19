"""What became of each gold passage, where it was lost, and the least that would have kept it."""
