"""The writer's lock of an index, and the writes that need it."""
