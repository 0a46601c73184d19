"""HiGraAgent: a Seeker that asks and a Librarian that answers from what it finds."""
