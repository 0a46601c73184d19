"""What retrievers stand on, computed once for an index and shared by all of them."""
