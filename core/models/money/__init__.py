"""What a model costs: counted, foreseen, and held to a budget."""
