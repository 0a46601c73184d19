"""Rankings side by side, as Compare's window shows them."""
