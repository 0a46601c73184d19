"""Moving, renaming and deleting an index."""
