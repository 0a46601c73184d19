"""The guided tour: a minute of real retrievals that shows what a hop finds, and how one is lost."""

from core.tour.contract import SceneData, TourData
from core.tour.making import make_tour
from core.tour.shipped import PATH, shipped_tour

__all__ = ["PATH", "SceneData", "TourData", "make_tour", "shipped_tour"]
