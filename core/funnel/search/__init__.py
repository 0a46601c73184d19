"""The search for the smallest change that would have retrieved one lost gold passage."""
