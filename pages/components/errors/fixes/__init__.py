"""Search for fixes of lost gold, and their effect on other questions."""
