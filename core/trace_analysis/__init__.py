"""A trace as walkthroughs and differences read it: its frames, nodes, phases and evidence."""
