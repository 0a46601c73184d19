"""The Corpus page: files and their contents."""
