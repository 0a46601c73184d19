"""Validation of what the browser sends."""
