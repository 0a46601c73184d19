"""The Errors page: results judged one after the other, labelled, and what the labels add up to."""
