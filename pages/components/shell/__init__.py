"""What every page stands in: frame, navigation, address, cards, words."""
