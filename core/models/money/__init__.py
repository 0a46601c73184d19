"""The cost of model calls: counted, forecast, and limited by a budget."""
