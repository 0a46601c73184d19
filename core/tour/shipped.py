"""The tour that comes with the program, made from the sample: `python -m core.tour.shipped`.

It is shipped as data, so that the first page shows it at once, with no index and no embedder.
"""

import json
from functools import cache

from core.settings import ASSETS
from core.tour.contract import TourData

PATH = ASSETS / "sample" / "tour.json"


@cache
def shipped_tour() -> str:
    """Return the tour as JSON."""
    return PATH.read_text(encoding="utf-8")


def write(tour: TourData) -> None:
    """Write the tour to be shipped."""
    PATH.write_text(json.dumps(tour, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
