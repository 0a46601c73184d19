"""Read files in a process of its own, within limits."""
