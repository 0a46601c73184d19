"""What Evaluate and Errors share: the list of results in the address, and its filter."""
