"""Settings are named by their titles, also in studies that an earlier version made."""

from pathlib import Path

from core.retrievers import Spec
from core.runs.run import Column, Run
from core.studies.naming import (
    run_title,
    setting_text,
    setting_title,
    study_about,
    study_title,
    with_titles,
)
from core.studies.reading import parse_study
from core.studies.sweep import sweep_study

OLD = """
title = "HopRAG (coverage): n_hop"
about = "Sweeps n_hop of hoprag-coverage."
retrievers = ["hoprag-coverage(n_hop=1)", "hoprag-coverage"]
measures = ["R@5"]

[[views]]
kind = "curve"
measures = ["R@5"]
over = "n_hop"
"""


def test_an_old_sweep_is_called_as_one_made_today() -> None:
    old = parse_study(OLD, Path("s.toml"))
    new = parse_study(sweep_study(Spec("hoprag-coverage"), "n_hop"), Path("s.toml"))
    assert (study_title(old), study_about(old)) == (new.title, new.about)
    assert (study_title(new), study_about(new)) == (new.title, new.about)
    assert "n_hop" not in f"{study_title(old)} {study_about(old)}"
    assert with_titles(old.views[0], old.retrievers).over == setting_title("n_hop", old.retrievers)


def test_other_titles_and_unknown_settings_stay() -> None:
    old = parse_study(OLD.replace("HopRAG (coverage): n_hop", "Hops: a study"), Path("s.toml"))
    assert study_title(old) == "Hops: a study"
    assert setting_title("embedder", old.retrievers) == "embedder"


def test_a_run_of_an_old_sweep_is_called_by_the_title_of_its_setting() -> None:
    def called(name: str) -> str:
        column = Column("hoprag-coverage(n_hop=2)", "made")
        return run_title(Run("1", name, "", "", 1, (column,), ""))

    assert called("HopRAG (coverage): n_hop") == "HopRAG (coverage): hops"
    assert called("HopRAG (coverage): n_hop 2") == "HopRAG (coverage): hops 2"
    assert called("Run 1") == "Run 1"
    assert called("Before: after the fix") == "Before: after the fix"


def test_values_are_in_words() -> None:
    walk = Spec("hoprag-coverage")
    assert setting_text("n_hop", 3, walk) == "hops 3"
    assert setting_text("seeds", 0, walk) == "seeds same as top k"
    assert setting_text("over", Spec("bm25"), Spec("rerank")) == "over BM25"
