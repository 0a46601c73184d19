"""The wire format of the tour; `core.walkthroughs.contract` has that of what its scenes show."""

from typing import Literal

from typing_extensions import TypedDict

from core.walkthroughs.contract import WalkthroughData


class SceneData(TypedDict):
    """A scene: a stop of a walkthrough, and what to see there.

    `walkthrough` and `stop` are numbers in `TourData.walkthroughs` and its stops. `page` is the
    page that does this for one's own documents, under `link`. `focus` is the part to look at.
    """

    title: str
    text: str
    walkthrough: int
    stop: int
    focus: Literal["", "gold", "candidates", "scores", "chain"]
    page: str
    link: str


class TourData(TypedDict):
    """The tour: its scenes, and the walkthroughs that they show, each with these stops only."""

    version: Literal[1]
    walkthroughs: list[WalkthroughData]
    scenes: list[SceneData]
