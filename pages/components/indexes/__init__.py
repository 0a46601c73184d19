"""The list of indexes, and the menu of one."""
