"""Files that join or leave an index."""
