"""The Evaluate page: runs started, followed and listed, with leaderboard and analysis."""
