"""The difference of two retrievals on the screen."""
