"""The fate of each gold passage of a retrieval, and why it was lost."""
