"""A study file is read strictly: each mistake is one line that names the file and what to do."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.retrievers import Spec
from core.studies import parse_study, read_study
from core.studies.shelf import SHIPPED, add_own_study, delete_own_study, study_files
from core.studies.sweep import group_of, sweep_study, sweepable
from tests.core.studies.examples import write_study

HEAD = 'title = "T"\nretrievers = ["bm25"]\n'
HOPS = 'title = "T"\nretrievers = ["hoprag-similarity(n_hop=1..2)"]\n'


def test_what_a_file_says(tmp_path: Path) -> None:
    study = read_study(write_study(tmp_path))
    assert study.name == "hops"
    assert len(study.retrievers) == 2 * (1 + 2)
    assert study.data.questions == tmp_path / "asked.jsonl"
    assert [view.kind for view in study.views] == ["table", "curve", "bars", "pareto", "heat"]
    assert study.views[0].measures == study.measures
    assert study.views[2].by == "type"
    assert set(study.swept) == {"n_hop", "top_k"}


def test_a_judge_is_asked_where_its_verdict_is_measured() -> None:
    plain, read, judged = (
        parse_study(f"{HEAD}measures = [{names}]\n", Path("s.toml"))
        for names in ('"R@5"', '"EM", "Accuracy"', '"Agreement"')
    )
    assert [(one.answers, one.judge) for one in (plain, read, judged)] == [
        *((False, False), (True, False), (True, True)),
    ]
    assert len({plain.digest, read.digest, judged.digest}) == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title", "is not valid TOML"),
        ('title = "T"', "the key 'retrievers' is missing"),
        ('title = 3\nretrievers = ["bm25"]', "the key 'title' cannot be used"),
        ('title = "T"\nretrievers = []', "at least one retriever"),
        (HEAD + "top_k = 3", "a study has no key 'top_k'"),
        (HEAD + "[data]\nfile = 'a'", "a study has no key 'data.file'"),
        (HEAD + "[data]\nindex = '/etc'", "is not the name of an index"),
        (HEAD + "[data]\nindex = '..'", "is not the name of an index"),
        (HEAD + "[data]\nindex = 'a'\nfiles = ['b']", "both an index and files"),
        (HEAD + "[data]\nfirst = -1", "data.first must be 0 or more"),
        (HEAD + "[settings]\nluck = 3", "No retriever of the study has the setting 'luck'"),
        (HEAD + "[settings]\ntop_k = 0", "bm25 cannot use top_k"),
        ('measures = ["R@3"]\n' + HEAD, "Unknown measure 'R@3'"),
        (HEAD + "[build]\nchunking = 'fit'", "needs data.files"),
        (HEAD + "[build]\nchunking = 'x'", "Unknown chunking"),
        (HEAD + "[build]\nluck = 1", "A build has no setting 'luck'"),
        (HEAD + "[build]\nedge_cap = -1", "The setting edge_cap must be a whole number from 0"),
        (
            HEAD + "[build]\nin_questions = [2, 25]",
            "in_questions must be a whole number from 0 to 24",
        ),
        (HEAD + "[[views]]\nkind = 'pie'", "the key 'views.0.kind' cannot be used"),
        (HEAD + "[[views]]\nkind = 'curve'", "A curve needs a setting with several values"),
        (HOPS + "[[views]]\nkind = 'heat'", "A heat needs a setting with several values"),
        (
            HEAD + "[[papers]]\nsource = 's'\ncolumns = ['a']\n"
            "rows = [{system = 'x', values = [1, 2]}]",
            "has 2 values and the table 1 columns",
        ),
    ],
)
def test_mistakes(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_study(text, Path("mine.toml"))
    assert str(caught.value).startswith("mine.toml")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Could not read"):
        read_study(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_study(tmp_path / "bytes.toml")
    (tmp_path / "large.toml").write_text("#" * 300_000)
    with pytest.raises(InputError, match="larger than"):
        read_study(tmp_path / "large.toml")


@pytest.mark.parametrize("path", study_files(Path("none")), ids=lambda path: path.stem)
def test_every_study_that_is_shipped_can_be_read(path: Path) -> None:
    study = read_study(path)
    assert study.about
    assert study.differs
    known = {spec.key for spec in study.retrievers}
    for paper in study.papers:
        assert "arXiv" in paper.source or "HiGraAgent" in paper.source or "report" in paper.source
        named = [row.retriever for row in paper.rows if row.retriever]
        assert {Spec.parse(name).key for name in named} <= known


def test_a_study_is_added_and_deleted(tmp_path: Path) -> None:
    own = tmp_path / "own"
    path = add_own_study(HEAD, "../My Study!.toml", own, ())
    assert path == own / "my-study.toml"
    assert add_own_study(HEAD, "my-study", own, ()).stem == "my-study-2"
    assert study_files(own)[0].parent == own
    with pytest.raises(InputError, match="may not read"):
        add_own_study(HEAD + "[data]\nquestions = '/etc/passwd'", "x", own, ())
    with pytest.raises(InputError, match="may not read"):
        add_own_study(HEAD + "[data]\nfiles = ['../../x']", "x", own, [tmp_path / "root"])
    delete_own_study(path, own)
    assert not path.exists()
    with pytest.raises(InputError, match="comes with the app"):
        delete_own_study(next(SHIPPED.glob("*.toml")), own)


@pytest.mark.parametrize("key", ["hoprag-similarity", "rerank", "raptor", "fusion", "bm25"])
def test_any_setting_can_be_swept(key: str) -> None:
    spec = Spec(key)
    for name, values in sweepable(spec).items():
        assert spec.values[name] in values
        study = parse_study(sweep_study(spec, name, index="tiny"), Path("sweep.toml"))
        assert [one.values[name] for one in study.retrievers] == list(values)
        assert study.data.index == "tiny"


def test_values_around_the_effective_one_are_tried() -> None:
    walk = Spec("hoprag-coverage")
    assert sweepable(walk)["seeds"] == (0, 5, 10, 15, 30, 40, 80)  # 0 is 20 here
    assert max(sweepable(walk)["width"]) > walk.values["width"]


def test_each_setting_is_in_a_group() -> None:
    groups = {one.name: group_of(one) for one in Spec("hoprag-coverage").declared}
    assert groups["n_hop"] == groups["top_k"] == "Counts and limits"
    assert groups["named"] == groups["link"] == "Weights and scores"
    assert groups["entry"] == "Methods"
    over = next(one for one in Spec("rerank").declared if one.name == "over")
    assert group_of(over) == "Retrievers"


def test_what_is_no_setting_cannot_be_swept() -> None:
    with pytest.raises(InputError, match="no setting 'luck'"):
        sweep_study(Spec("bm25"), "luck")
