"""Gold as the browser is told of it."""

from typing import Literal

Marked = Literal["", "given", "rules", "hand"]
"""Whether a node is gold, and who said so: the question set, rules, or a person on the screen."""
