"""Gold that a result lost: the causes, and the fixes."""
