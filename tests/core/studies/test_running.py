"""A study is run, stopped, resumed and shown; its numbers are those of its run."""

import json
from collections.abc import Iterator
from math import nan
from pathlib import Path

import numpy as np
import pytest

from core.artefacts.entity_graph.imported_facts import extracted
from core.artefacts.workbench import Workbench
from core.errors import Cancelled, InputError
from core.jobs import run as run_job
from core.jobs import state
from core.jobs.study import asks_model, study_job, study_variants
from core.progress import Progress
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.analysis.leaderboard import leaderboard_rows
from core.runs.analysis.slices import slices
from core.runs.measuring import begin, measure
from core.settings import settings
from core.store.graph_limits import GraphLimits
from core.store.index import Index
from core.store.tables import read_meta
from core.studies import Paper, Results, View, paper_table, read_study, results_of, table_of
from core.studies.definition import PaperRow
from core.studies.forecast import forecast_of
from core.studies.graphs import graph_rows
from core.studies.measuring import columns_of, found_run, questions_of
from core.studies.results import cell_of
from core.studies.series import bars, curve, heat, pareto
from core.studies.table import decimals_of, grouped
from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS, write_files
from tests.core.studies.examples import TEXT, write_study
from tests.llm.configured import configured
from tests.llm.replies import extraction
from tests.llm.server import MODEL


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: WordEmbedder) -> Iterator[Path]:
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
    settings.cache_clear()
    yield tmp_path / "home"
    settings.cache_clear()


def done(path: Path, index: Path) -> Results:
    run_job(study_job(path, str(index)))
    return results_of(read_study(path), study_variants(read_study(path), str(index)))


def run_of(results: Results) -> tuple[Runs, Run]:
    line = results.lines[0]
    return Runs(line.variant.place), line.run


def test_it_is_run_as_a_job_and_kept_with_the_index(
    home: Path, built: Path, tmp_path: Path
) -> None:
    path = write_study(tmp_path)
    results = done(path, built)
    assert results.complete
    assert len(results.lines) == 6
    runs, run = run_of(results)
    assert (run.name, run.state, run.questions) == ("Hops", "finished", 3)
    assert found_run(read_study(path), runs) == run
    job = study_job(path, str(built))
    now = state(job.index)
    assert now
    assert now.status == "finished"
    assert job.index.parent == home / "studies"
    run_job(job)  # nothing is left
    assert len(runs.all()) == 1


def test_its_numbers_are_those_of_the_run(home: Path, built: Path, tmp_path: Path) -> None:
    results = done(write_study(tmp_path), built)
    runs, run = run_of(results)
    by_retriever = {one.retriever: one for one in leaderboard_rows(runs, run)}
    for line in results.lines:
        board = by_retriever[str(line.asked)]
        for name in ("R@2", "R@5"):
            cell, kept = cell_of(line, name), board.measures[name]
            assert (cell.n, cell.mean) == (kept.n, pytest.approx(kept.mean))
            assert (cell.low, cell.high) == (kept.low, kept.high) == (None, None)  # 3 questions
        assert cell_of(line, "judgements").mean == pytest.approx(board.judgements)
        assert cell_of(line, "seconds").mean == pytest.approx(board.seconds_p50)
        for part in slices(runs, run, "type", "R@5"):
            shown = cell_of(line, "R@5", "type", part.value)
            assert shown.mean == pytest.approx(part.by[str(line.asked)].mean)


def test_retrieval_f1_is_over_all_that_is_retrieved(
    home: Path, built: Path, tmp_path: Path
) -> None:
    results = done(write_study(tmp_path), built)
    runs, run = run_of(results)
    for line in results.lines:
        expected = []
        for row in runs.every(run.id, str(line.asked)):
            found = sum(rank is not None for rank in row.ranks.values())
            precision, recall = found / len(row.hits), found / len(row.ranks)
            both = precision + recall
            expected.append(2 * precision * recall / both if both else 0.0)
        mean = cell_of(line, "retrieval F1").mean
        assert mean == pytest.approx(100 * float(np.mean(expected)))


def test_passages_that_are_not_gold_lead_to_it_or_are_irrelevant(
    home: Path, built: Path, tmp_path: Path
) -> None:
    measures = 'measures = ["P", "indirect", "irrelevant"]\n'
    text = TEXT.partition("measures =")[0] + measures + "[settings]\ntop_k = [2, 4]\n"
    results = done(write_study(tmp_path, f'{text}[data]\nquestions = "asked.jsonl"\n'), built)
    runs, run = run_of(results)
    index = Index.open(built)
    names, edges = index.ids, index.graph.adjacency
    joined = {(names[s], names[t]) for s, t in zip(edges.source, edges.target, strict=True)}
    for line in results.lines:
        shares = {"indirect": 0.0, "irrelevant": 0.0}
        for row in runs.every(run.id, str(line.asked)):
            gold = set(row.question.gold)
            for hit in set(row.hits) - gold:
                leads = any((hit, one) in joined for one in gold)
                shares["indirect" if leads else "irrelevant"] += 100 / 3 / len(row.hits)
        for name, share in shares.items():
            assert cell_of(line, name).mean == pytest.approx(share)
        parts = [cell_of(line, name).mean or 0 for name in ("P", *shares)]
        assert sum(parts) == pytest.approx(100)
    assert any((cell_of(line, "indirect").mean or 0) > 0 for line in results.lines)
    assert any((cell_of(line, "irrelevant").mean or 0) > 0 for line in results.lines)


def test_tables_and_charts(home: Path, built: Path, tmp_path: Path) -> None:
    results = done(write_study(tmp_path), built)
    by_view = {view.kind: view for view in results.study.views}
    table = table_of(results, by_view["table"])
    assert [str(head) for head in table.heads][:5] == list(results.study.measures)
    assert {head.group for head in table.heads} == {"", "bridge", "single"}
    for number, _ in enumerate(table.heads[:2]):
        means = [round(row.cells[number].mean or 0, 3) for row in table.rows]
        marked = [mean for mean, row in zip(means, table.rows, strict=True) if row.best[number]]
        assert set(marked) == ({max(means)} if len(set(means)) > 1 else set())
    times = [number for number, head in enumerate(table.heads) if head.measure == "seconds"]
    assert not any(row.best[number] for row in table.rows for number in times)
    hops = curve(results, by_view["curve"], "R@5")
    assert sorted({point.x for point in hops}) == [1.0, 2.0]
    assert len({point.series for point in hops}) == 2  # one for each top k
    cells = heat(results, by_view["heat"], "R@5")
    assert {(point.x, point.y) for point in cells} == {(h, k) for h in (1.0, 2.0) for k in (2, 3)}
    assert {point.x for point in bars(results, by_view["bars"], "R@5")} == {"bridge", "single"}
    front = pareto(results, by_view["pareto"], "R@5")
    assert any(point.best for point in front)
    for point in front:
        better = [o for o in front if o.mean > point.mean and float(o.x) <= float(point.x)]
        assert not (point.best and better)


def test_published_numbers_stand_beside_ours(home: Path, built: Path, tmp_path: Path) -> None:
    results = done(write_study(tmp_path), built)
    (paper,) = results.study.papers
    first, unknown = paper_table(results, paper).lines
    assert first.values == (41.5,)
    assert first.line is not None
    assert first.here == (cell_of(first.line, "retrieval F1"),)
    assert (unknown.values, unknown.line, unknown.here) == ((None,), None, ())


def test_published_columns_have_one_format_and_a_common_head() -> None:
    rows = (PaperRow("a", (11.0, 27.0, nan)), PaperRow("b", (31.55, 5.0, 0.5)))
    assert decimals_of(Paper("s", ("2Wiki F1", "2Wiki EM", "Cost"), rows)) == (2, 0, 1)
    assert grouped(["2Wiki F1", "2Wiki EM", "HotpotQA F1", "Cost"], "Published") == [
        ("2Wiki", "F1"),
        ("2Wiki", "EM"),
        ("Published", "HotpotQA F1"),
        ("Published", "Cost"),
    ]


def test_the_best_cost_is_the_lowest_above_zero(home: Path, built: Path, tmp_path: Path) -> None:
    results = done(write_study(tmp_path), built)
    table = table_of(results, View("table", measures=("judgements",)))
    lists = [row.cells[0].mean or 0.0 for row in table.rows]
    marked = [mean for mean, row in zip(lists, table.rows, strict=True) if row.best[0]]
    assert 0.0 in lists
    assert set(marked) == {min(mean for mean in lists if mean)}


def test_one_that_is_stopped_resumes(home: Path, built: Path, tmp_path: Path) -> None:
    path = write_study(tmp_path)
    job = study_job(path, str(built))

    def stop(progress: Progress) -> None:
        if progress.stage == "ask" and progress.done >= 7:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        run_job(job, stop)
    now = state(job.index)
    assert now
    assert now.status == "cancelled"
    assert now.resumable
    study, variants = read_study(path), study_variants(read_study(path), str(built))
    partly = results_of(study, variants)
    assert not partly.complete
    asked = sum(line.done for line in partly.lines)
    assert asked >= 7
    left = forecast_of(study, variants, with_model=False)
    assert left.results == 6 * 3 - asked
    results = done(path, built)
    assert results.complete
    assert len(run_of(results)[0].all()) == 1
    assert str(forecast_of(study, variants, with_model=False)) == "Complete."


def test_what_another_run_measured_is_taken_over(
    home: Path, built: Path, tmp_path: Path, workbench: Workbench
) -> None:
    path = write_study(tmp_path)
    questions, _ = questions_of(read_study(path), workbench)
    before = begin(workbench, questions, [Spec.parse("bm25(top_k=2)")], name="Before")
    measure(before, workbench)
    runs = Runs(built)
    told: list[Progress] = []
    run_job(study_job(path, str(built)), told.append)
    first = next(one for one in told if one.stage == "ask")
    assert (first.done, first.total) == (3, 18)
    after = done(path, built)
    (old,) = [row for row in runs.every(before.id, "bm25(top_k=2)") if row.question.id == "q1"]
    (new,) = [
        row for row in runs.every(after.lines[0].run.id, "bm25(top_k=2)") if row.question.id == "q1"
    ]
    assert (new.hits, new.seconds) == (old.hits, old.seconds)


def test_another_grid_is_another_run_that_measures_what_is_new(
    home: Path, built: Path, tmp_path: Path
) -> None:
    path = write_study(tmp_path)
    done(path, built)
    path.write_text(TEXT.replace('"bm25"', '"bm25", "dense"'))
    told: list[Progress] = []
    run_job(study_job(path, str(built)), told.append)
    asked = [one for one in told if one.stage == "ask"]
    assert (asked[0].done, asked[-1].done, asked[-1].total) == (18, 24, 24)


def test_indexes_are_built_for_each_way_to_cut(home: Path, tmp_path: Path) -> None:
    name = write_files(tmp_path).name
    text = TEXT.replace("[data]", f'[data]\nfiles = ["{name}"]') + (
        '\n[build]\nchunking = ["as-is", "sentence"]\n'
    )
    path = write_study(tmp_path, text)
    study = read_study(path)
    run_job(study_job(path))
    variants = study_variants(study)
    results = results_of(study, variants)
    assert {line.variant.label for line in results.lines} == {
        "chunking as-is",
        "chunking sentence",
    }
    assert results.complete
    vertices = [values[2] for _, values in graph_rows(variants)]
    assert 5 == vertices[0] < vertices[1]
    over = View(kind="curve", over="chunking", measures=("R@5",))
    assert {point.x for point in curve(results, over, "R@5")} == {"as-is", "sentence"}


def test_indexes_are_built_for_each_number_of_questions(home: Path, tmp_path: Path) -> None:
    name = write_files(tmp_path).name
    text = TEXT.replace("[data]", f'[data]\nfiles = ["{name}"]') + (
        "\n[build]\nin_questions = 1\nout_questions = [1, 2]\nedge_cap = 1\n"
    )
    study = read_study(write_study(tmp_path, text))
    run_job(study_job(study.path))
    variants = study_variants(study)
    assert results_of(study, variants).complete
    built = {one.label: read_meta(one.place) for one in variants}
    assert {label: meta.limits for label, meta in built.items()} == {
        "out_questions 1": GraphLimits(1, 1, 1),
        "out_questions 2": GraphLimits(1, 2, 1),
    }
    few, more = (meta.counts for meta in built.values())
    assert few.in_coming == more.in_coming == 5
    assert few.out_coming <= 5 < more.out_coming
    assert max(few.edges, more.edges) <= 5


def test_triples_from_elsewhere_are_built_into_its_index(home: Path, tmp_path: Path) -> None:
    """One command for the table of HippoRAG 2: documents, questions and triples in one study."""
    title, text = TEXTS["club"]
    given = {"passage": f"{title}\n{text}", "extracted_entities": [title, "Mara Quist"]}
    given["extracted_triples"] = [[title, "bought by", "Mara Quist"]]
    (tmp_path / "openie.json").write_text(json.dumps({"docs": [given]}))
    data = f'[data]\nfiles = ["{write_files(tmp_path).name}"]\nquestions = "asked.jsonl"\n'
    study = 'title = "T"\nretrievers = ["hipporag2(published=[false,true])"]\n'
    places = {}
    for name, more in (("rules", ""), ("triples", 'openie = "openie.json"\n')):
        path = write_study(tmp_path, f"{study}{data}{more}", name)
        run_job(study_job(path))
        variants = study_variants(read_study(path))
        assert results_of(read_study(path), variants).complete
        places[name] = variants[0].place
    assert extracted(Index.open(places["rules"])) == {}
    facts = extracted(Index.open(places["triples"]))
    assert [each.triples for each in facts.values()] == [((title, "bought by", "Mara Quist"),)]


def test_a_model_extracts_the_triples_of_a_variant(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'''title = "T"
retrievers = ["bm25"]
[data]
files = ["{write_files(tmp_path).name}"]
questions = "asked.jsonl"
[build]
extraction = ["rules", "{MODEL}"]
'''
    path = write_study(tmp_path, text)
    assert asks_model(read_study(path))
    with configured(extraction, monkeypatch) as server:
        run_job(study_job(path))
        assert len(server.requests) == len(TEXTS)
        variants = study_variants(read_study(path))
    found = {one.label: len(extracted(Index.open(one.place))) for one in variants}
    assert found == {"extraction rules": 0, f"extraction {MODEL}": len(TEXTS)}


def test_triples_need_documents(tmp_path: Path) -> None:
    text = 'title = "T"\nretrievers = ["hipporag2"]\n[data]\nopenie = "openie.json"\n'
    with pytest.raises(InputError, match=r"data\.openie needs data\.files"):
        read_study(write_study(tmp_path, text))
    text += 'files = ["c.jsonl"]\n[build]\nextraction = "m"\n'
    with pytest.raises(InputError, match=r"either data\.openie or build\.extraction"):
        read_study(write_study(tmp_path, text))


def test_a_retriever_that_needs_a_model_is_stood_in_for_or_left_out(tmp_path: Path) -> None:
    text = 'title = "T"\nretrievers = ["bm25", "zero-shot", "hoprag-llm(n_hop=2)"]\n'
    text += '[offline]\nhoprag-llm = "hoprag-similarity"\n'
    study = read_study(write_study(tmp_path, text))
    offline, online = (columns_of(study, with_model=model) for model in (False, True))
    assert [str(one) for one in offline.asked.values()] == ["bm25", "hoprag-similarity(n_hop=2)"]
    assert [spec.key for spec in offline.left_out] == ["zero-shot"]
    assert list(offline.substituted) == [Spec.parse("hoprag-llm(n_hop=2)")]
    assert list(online.asked) == list(study.retrievers)


def test_what_cannot_be_run(home: Path, built: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not name an index"):
        run_job(study_job(write_study(tmp_path)))
    gone = TEXT.replace("[data]", '[data]\nfiles = ["gone.jsonl"]')
    with pytest.raises(InputError, match=r"Could not read .*gone\.jsonl"):
        run_job(study_job(write_study(tmp_path, gone, "gone")))
    only = 'title = "T"\nretrievers = ["zero-shot"]\n[data]\nquestions = "asked.jsonl"\n'
    with pytest.raises(InputError, match="needs a language model"):
        run_job(study_job(write_study(tmp_path, only, "only"), str(built)))
