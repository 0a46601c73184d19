"""The Methods page: a card for each retriever, and a page on each."""
