"""Split documents into passages."""
