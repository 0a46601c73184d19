"""The view "Review": results one by one, with walkthrough, note, and verdict."""
