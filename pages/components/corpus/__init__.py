"""The Corpus page: files, and what is in them."""
