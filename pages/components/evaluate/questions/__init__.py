"""The questions behind a number of a run."""
