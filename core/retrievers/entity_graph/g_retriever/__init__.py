"""A tree through the nodes that a question prizes."""
