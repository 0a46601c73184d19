"""Gold and evidence of questions, as files name them."""
