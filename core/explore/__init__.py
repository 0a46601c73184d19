"""Looking around in a graph: a neighbourhood, what of it is drawn and where, ways between two."""
