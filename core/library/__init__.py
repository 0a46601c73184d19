"""The indexes of a folder, and the files that were uploaded for them."""
