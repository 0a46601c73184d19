"""Error analysis by people: verdicts, notes and labels of what retrievers found, and their sums."""

from core.reviews.agreement import Agreement, agreements
from core.reviews.codes import Code, Codes, axial_codes, by_id, names
from core.reviews.losses.clusters import Case, Cluster, clusters
from core.reviews.losses.first_loss import first_loss, lost_at
from core.reviews.pivot import Pivot, pivot
from core.reviews.review import VERDICTS, Act, Change, Key, Review, Undone, Verdict, judged
from core.reviews.store.reviews import FILE, Reviews
from core.reviews.store.saved_views import Views

__all__ = [
    "FILE",
    "VERDICTS",
    "Act",
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
    "Undone",
    "Verdict",
    "Views",
    "agreements",
    "axial_codes",
    "by_id",
    "clusters",
    "first_loss",
    "judged",
    "lost_at",
    "names",
    "pivot",
]
