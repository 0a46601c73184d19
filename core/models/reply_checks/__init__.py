"""Tell what a model wrote itself from what its reply copies out of the prompt."""
