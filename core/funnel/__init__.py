"""What became of gold, where it was lost, and the least that would have retrieved it."""
