"""The Errors page: results reviewed one by one, labelled, and summarised."""
