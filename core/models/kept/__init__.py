"""What a model answered, kept in the folder of an index."""
