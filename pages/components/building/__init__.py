"""The Build page: building an index, and the report on it."""
