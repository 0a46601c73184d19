"""The passages and documents of an index as they are read."""
