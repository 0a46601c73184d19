"""A trace played once against its gold, as its walkthrough and its differences need it."""
