"""Error analysis by people: verdicts, notes and labels of what retrievers found, and their sums."""

from core.reviews.agreement import Agreement, agreements
from core.reviews.clusters import Case, Cluster, clusters
from core.reviews.codes import Code, Codes, axial_codes, by_id, names
from core.reviews.losses import first_loss
from core.reviews.pivot import Pivot, pivot
from core.reviews.saved import Views
from core.reviews.store import FILE, VERDICTS, Change, Key, Review, Reviews, Verdict, judged

__all__ = [
    "FILE",
    "VERDICTS",
    "Agreement",
    "Case",
    "Change",
    "Cluster",
    "Code",
    "Codes",
    "Key",
    "Pivot",
    "Review",
    "Reviews",
    "Verdict",
    "Views",
    "agreements",
    "axial_codes",
    "by_id",
    "clusters",
    "first_loss",
    "judged",
    "names",
    "pivot",
]
