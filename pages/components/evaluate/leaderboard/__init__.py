"""The leaderboard of a run: sentence, charts, and table."""
