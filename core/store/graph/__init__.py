"""The graph of an index as it is read: in memory, or row by row."""
