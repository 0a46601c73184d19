"""The map of a corpus on the Explore page."""
