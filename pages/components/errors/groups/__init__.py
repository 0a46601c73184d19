"""The view "Groups": lost questions grouped by cause."""
