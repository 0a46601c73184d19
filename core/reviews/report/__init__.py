"""Reviews as a report and as tables."""
