"""Moving, renaming and deleting an index as a whole."""
