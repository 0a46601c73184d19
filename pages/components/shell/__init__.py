"""What all pages share: frame, navigation, address, cards, and texts."""
