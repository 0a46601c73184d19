"""The Methods page: a card for each retriever, and all there is to say of one."""
