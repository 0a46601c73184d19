"""One index in a folder: its tables, reading it, writing it."""
