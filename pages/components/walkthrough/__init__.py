"""The walkthrough of a trace as it is drawn in the browser."""
