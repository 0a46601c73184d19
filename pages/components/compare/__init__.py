"""The Compare page: retrievers side by side."""
