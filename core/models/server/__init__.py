"""How a model's server is talked to: what is sent, what is taken in, what goes wrong."""
