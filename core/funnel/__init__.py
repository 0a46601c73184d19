"""The fate of gold: where it was lost, and the smallest change that would have retrieved it."""
