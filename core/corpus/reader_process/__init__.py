"""Read files in a separate process, within limits."""
