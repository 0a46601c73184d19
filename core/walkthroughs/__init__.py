"""A retrieval as a walkthrough: the stops and cards that the evidence stage shows.

Python decides what is shown, the scripts in `assets/scripts` decide where.
"""
