"""The list of questions of an index: filters, order, types, suggestions."""
