"""The Evaluate page: runs begun, followed, listed; their boards, sides and questions."""
