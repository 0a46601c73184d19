"""A retriever with its settings as one word: written, read, refused, made."""

import math
import string
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.retrievers import ALL, CARDS, MODEL_FREE, Spec, make, registry, spec, spec_of
from core.retrievers.base import TOP_K, Card
from core.retrievers.settings import Setting, settings_of
from core.retrievers.spec import declared_settings
from core.retrievers.spec_syntax import DEEPEST, LONGEST, split
from core.steps import Step


@dataclass(frozen=True, slots=True)
class Over:
    """A retriever that is made of another, with a setting of every type."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = 20
    over: Annotated[Spec, Setting("what is ranked again")] = Spec("hoprag-coverage")
    depth: Annotated[int, Setting("candidates", least=1, most=200)] = 100
    share: Annotated[float, Setting("any number")] = 1.0
    keep: Annotated[bool, Setting("whether")] = False
    model: Annotated[str, Setting("a name or a folder")] = ""
    by: Annotated[Literal["score", "rank"], Setting("what counts")] = "score"

    card = Card(
        key="over",
        title="Over",
        badge="OV",
        family="rerank",
        summary="For a test.",
        paper="none",
        needs=("entities",),
        parts={"dense": ("d", "ours")},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        yield from make(self.over.with_settings(top_k=self.depth), self.workbench).retrieve(query)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """`over` is a retriever like the others."""
    found = MappingProxyType({**registry.classes(), "over": Over})
    monkeypatch.setattr(registry, "classes", lambda: found)


NUMBERS = st.floats(-1e15, 1e15, allow_nan=False)
PLAIN = st.sampled_from(sorted(MODEL_FREE)).map(Spec)
COVERAGE = st.builds(
    lambda n_hop, named: Spec("hoprag-coverage").with_settings(n_hop=n_hop, named=named),
    st.integers(1, 8),
    st.floats(0, 1e15, allow_nan=False),
)


def around(inner: st.SearchStrategy[Spec]) -> st.SearchStrategy[Spec]:
    return st.fixed_dictionaries(
        {},
        optional={
            "over": inner,
            "depth": st.integers(1, 200),
            "share": NUMBERS,
            "keep": st.booleans(),
            "model": st.text(max_size=60),
            "by": st.sampled_from(["score", "rank"]),
        },
    ).map(lambda values: Spec("over").with_settings(**values))


SPECS = st.recursive(PLAIN | COVERAGE, around, max_leaves=3)


@given(SPECS)
def test_what_is_written_is_read_again(wanted: Spec) -> None:
    text = str(wanted)
    assert Spec.parse(text) == wanted
    assert hash(Spec.parse(text)) == hash(wanted)
    assert str(Spec.parse(text)) == text
    assert Spec.parse(f"  {text} ") == wanted


@given(st.lists(SPECS, max_size=4))
def test_a_list_is_split_between_its_pieces(wanted: list[Spec]) -> None:
    assert split(", ".join(map(str, wanted))) == [str(one) for one in wanted]


@given(st.text(max_size=40) | st.text(string.ascii_lowercase + '(),="-1', max_size=40))
def test_any_text_is_a_spec_or_refused(text: str) -> None:
    try:
        found = Spec.parse(text)
    except InputError:
        return
    assert Spec.parse(str(found)) == found


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("bm25", "bm25"),
        ("bm25(top_k=20)", "bm25"),
        ("over(depth=40,over=dense)", "over(over=dense,depth=40)"),
        ("over( over = hoprag-coverage( n_hop = 2 ) )", "over(over=hoprag-coverage(n_hop=2))"),
        ("over(over=hoprag-coverage(n_hop=4))", "over"),
        ("over(share=2.0,keep=true)", "over(share=2,keep=true)"),
        ("over(share=1.0)", "over"),
        ('over(model="a, (b) \\"c\\"")', 'over(model="a, (b) \\"c\\"")'),
        ("over(model=BAAI/bge-reranker-v2-m3)", "over(model=BAAI/bge-reranker-v2-m3)"),
        ("over(model=true)", "over(model=true)"),
        ("over(model=12)", "over(model=12)"),
    ],
)
def test_it_has_one_form(text: str, written: str) -> None:
    assert str(Spec.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the key of a retriever is missing at the end"),
        ("bm42", "Unknown retriever 'bm42'. Choose one of bm25"),
        ("BM25", "the key of a retriever is missing"),
        ("bm25()", r"the name of a setting is missing at '\)'"),
        ("bm25(top_k", "'=' is missing at the end"),
        ("bm25(top_k=", "a value is missing at the end"),
        ("bm25(top_k=3", r"'\)' is missing at the end"),
        ("bm25(top_k=3)x", "unexpected text at 'x'"),
        ("bm25,dense", "unexpected text at ',dense'"),
        ("bm25(top_k=3,)", "the name of a setting is missing"),
        ("bm25(n_hop=3)", "bm25 has no setting 'n_hop': it has top_k"),
        ("bm25(workbench=3)", "no setting 'workbench'"),
        ("bm25(top_k=3,top_k=4)", "has top_k twice"),
        ("bm25(top_k=0)", "top_k='0'. Use a whole number from 1 to 100"),
        ("bm25(top_k=101)", "Use a whole number from 1 to 100"),
        ("bm25(top_k=many)", "top_k='many'. Use a whole number"),
        ("bm25(top_k=1.5)", "Use a whole number"),
        ("bm25(top_k=1e1)", "Use a whole number"),
        ("bm25(top_k=١)", "Use a whole number"),
        ("bm25(top_k=dense(top_k=1))", "Use a whole number"),
        ("hoprag-coverage(named=-1)", "Use a number of 0 or more"),
        ("hoprag-coverage(named=nan)", "Use a number"),
        ("hoprag-coverage(named=inf)", "Use a number"),
        ("hoprag-coverage(named=1e400)", "Use a number"),
        ("hoprag-coverage(backwards=2)", "Use a number from 0 to 1"),
        ("hoprag-coverage(entry=door)", "entry='door'. Use one of edge, node, hybrid"),
        ("over(keep=yes)", "Use true or false"),
        ("over(model=a(b=c))", "model='a'. Use text"),
        ('over(model="\\ud800")', "Use text"),
        (f"over(model={'x' * 301})", "Use text"),
        ('over(model="abc)', "a quoted text has no closing quote"),
        ("over(over=bm42)", "Unknown retriever 'bm42'"),
        ("over(over=bm25(n_hop=1))", "bm25 has no setting"),
        ("over(over=over(" * 500, f"longer than {LONGEST:,} characters"),
        ("a(b=" * 400, f"nested more than {DEEPEST} deep"),
    ],
)
def test_what_is_wrong_is_named_with_what_mends_it(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Spec.parse(text)


def test_too_deep_by_values_too() -> None:
    deep = Spec("bm25")
    for _ in range(DEEPEST - 1):
        deep = Spec("over").with_settings(over=deep)
    with pytest.raises(InputError, match="are nested more than"):
        Spec("over").with_settings(over=deep)


@pytest.mark.parametrize("value", [True, 2.0, math.nan, None, [], "2 ", Spec("bm25")])
def test_a_value_has_the_type_of_its_setting(value: object) -> None:
    with pytest.raises(InputError, match="Use a whole number"):
        Spec("bm25").with_settings(top_k=value)


def test_a_whole_number_is_a_number() -> None:
    made = Spec("over").with_settings(share=2)
    assert made.values["share"] == 2.0
    assert isinstance(made.values["share"], float)


def test_a_retriever_knows_what_it_is(workbench: Workbench) -> None:
    for text in ("bm25", "dense(top_k=3)", "over(over=hybrid-rrf(k0=1),keep=true)"):
        assert str(spec_of(make(text, workbench))) == text
    made = make("over", workbench, over="dense(top_k=3)", depth=3)
    assert str(spec_of(made)) == "over(over=dense(top_k=3),depth=3)"
    assert make(Spec("bm25", (("top_k", 3),)), workbench) == make("bm25(top_k=3)", workbench)


def test_what_is_told_of_its_settings(workbench: Workbench) -> None:
    told = declared_settings(make("over(over=dense(top_k=3))", workbench))
    assert told == {
        "top_k": 20,
        "over": "dense(top_k=3)",
        "depth": 100,
        "share": 1.0,
        "keep": False,
        "model": "",
        "by": "score",
    }
    assert declared_settings(make("bm25", workbench)) == {"top_k": 20}


def test_a_model_and_what_is_needed_are_those_of_the_whole() -> None:
    assert not Spec("over").asks_model
    paid = Spec.parse("over(over=over(over=hoprag-llm))")
    assert paid.asks_model
    assert paid.needs_model
    inner = CARDS["hoprag-llm"].needs
    assert paid.needs == ("entities", *inner)
    assert [one.key for one in paid.all_of_it()] == ["over", "over", "hoprag-llm"]


def test_a_value_that_stops_following_another_is_described_by_it() -> None:
    follows, own = Spec("hoprag-coverage"), Spec.parse("hoprag-coverage(seeds=20)")
    assert own.changes_from(follows) == ["20 seeds, regardless of top k"]
    assert follows.changes_from(own) == ["as many seeds as the top k"]
    assert Spec.parse("hoprag-coverage(seeds=7)").changes_from(own) == ["seeds 7 instead of 20"]


@pytest.mark.parametrize(
    ("retriever", "use"),
    [
        ("bm25", "none"),
        ("hoprag-llm", "required"),
        ("rerank(over=hoprag-llm)", "required"),
        ("zero-shot", "required"),
        ("kgp", "optional"),
        ("raptor", "optional"),
    ],
)
def test_the_use_of_a_model_is_that_of_the_retriever_and_its_artefacts(
    retriever: str, use: str
) -> None:
    assert Spec.parse(retriever).model_use == use


def test_parts_of_the_whole_and_the_outer_ones_first() -> None:
    parts = Spec("over").parts
    assert parts["dense"] == ("d", "ours")
    assert parts["coverage"] == CARDS["hoprag-coverage"].parts["coverage"]


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.card.key)
def test_every_field_is_declared_and_every_default_allowed(made: Any) -> None:
    declared = settings_of(made)
    assert ["workbench", *(one.name for one in declared)] == [f.name for f in fields(made)]
    assert "top_k" in {one.name for one in declared}
    for one in declared:
        assert one.default is not MISSING
        assert one.setting.says == one.setting.says.strip(" .")
        assert one.setting.follows in ("", *(other.name for other in declared))
        if one.kind is Spec:
            assert Spec.of(one.default)
        else:
            assert one.read(one.default) == one.default, one.name
    assert Spec.parse(made.card.key) == Spec(made.card.key)


def test_a_setting_without_a_default_is_a_mistake() -> None:
    @dataclass
    class Without:
        depth: Annotated[int, Setting("candidates")]

    with pytest.raises(TypeError, match="needs a default"):
        settings_of(Without)


def test_a_class_of_no_settings_has_none() -> None:
    assert settings_of(int) == ()
    assert spec.settings_of is settings_of
