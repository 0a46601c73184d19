"""Makes what is shipped anew: the sample's index, the tour, the pictures of retrievers.

Run it as `python -m core.shipping`.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from core.artefacts.making import make_artefacts
from core.artefacts.workbench import Workbench
from core.corpus.files import read_files
from core.hop_graph.file_questions import read_pseudo_queries
from core.indexing.updates import build
from core.maps.stored import CORPUS_MAP
from core.models.embedder import load_embedder
from core.progress import Progress
from core.settings import BUNDLED_EMBEDDER
from core.shipping import method_pictures, sample
from core.store.index import Index
from core.tour.making import make_tour
from core.tour.shipped import write


def _nobody(progress: Progress) -> None:
    """Ignore the progress."""


def main() -> None:
    """Build the index of the sample, pack it, and make the tour and the pictures from it."""
    embedder = load_embedder(BUNDLED_EMBEDDER)
    with TemporaryDirectory() as folder:
        place = Path(folder) / sample.NAME
        corpus = read_files([sample.CORPUS, sample.QUESTIONS])
        build(place, corpus, embedder, _nobody, maker=read_pseudo_queries(sample.PSEUDO_QUERIES))
        bench = Workbench(Index.open(place, embedder.info), embedder)
        make_artefacts(bench, [CORPUS_MAP], _nobody)
        sample.pack(place)
        questions = [query.text for query in bench.index.questions]
        suggested = sample.suggested()
        write(make_tour(bench, [*suggested, *(q for q in questions if q not in suggested)]))
    method_pictures.draw()
    sys.stdout.write(f"{sample.READY.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
