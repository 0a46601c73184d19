"""What stars are called in a legend."""

from collections.abc import Mapping

from core.film.data import GoldLook

GOLD: Mapping[GoldLook, str] = {
    "lost": "Gold lost",
    "unseen": "Gold lost, never offered",
    "kept": "Gold retrieved",
    "gold": "Gold",
    "rules": "Gold marked by rules",
    "hand": "Gold marked by hand",
}
