"""Cached replies of models, stored in the folder of an index."""
