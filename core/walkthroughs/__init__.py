"""A retrieval told with cards: what the evidence stage shows at each stop.

Python decides what is shown, the scripts in `assets/scripts` decide where.
"""
