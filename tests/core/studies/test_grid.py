"""Lists and ranges of settings are written out, and mistakes are told in one line."""

import pytest

from core.errors import InputError
from core.studies.grid import MOST, expand


def test_ranges_and_lists_combine() -> None:
    found = expand(["hoprag-similarity(n_hop=1..3,top_k=[2,5])"], {})
    assert [(spec.values["n_hop"], spec.values["top_k"]) for spec in found] == [
        *((1, 2), (1, 5), (2, 2), (2, 5), (3, 2), (3, 5))
    ]


def test_shared_settings_reach_those_that_have_them_and_do_not_set_them() -> None:
    found = expand(["bm25", "treehop(hops=2)", "dense(top_k=7)"], {"top_k": [3, 4], "hops": [1]})
    assert list(map(str, found)) == [
        *("bm25(top_k=3)", "bm25(top_k=4)"),
        *("treehop(top_k=3,hops=2)", "treehop(top_k=4,hops=2)", "dense(top_k=7)"),
    ]


def test_lists_of_retrievers_and_quoted_texts() -> None:
    found = expand(["rerank(over=[bm25,hybrid(top_k=[5,6])],depth=10)"], {})
    over = [str(spec.values["over"]) for spec in found]
    assert over == ["bm25", "hybrid(top_k=5)", "hybrid(top_k=6)"]
    (quoted,) = expand(['multi-meta-rag(fields="a[1,2]")'], {})
    assert quoted.values["fields"] == "a[1,2]"


def test_the_same_retriever_is_asked_once() -> None:
    assert len(expand(["bm25", "bm25(top_k=20)"], {})) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bm26", "Unknown retriever 'bm26'"),
        ("bm25(hops=[1,2])", "bm25 has no setting 'hops'"),
        ("bm25(top_k=[1,many])", "bm25 cannot use top_k='many'"),
        ("bm25(top_k=[])", "is empty"),
        ("bm25(top_k=4..1)", "Write the smaller number first"),
        ("bm25(top_k=1..999999999)", "The grid has 999,999,999 combinations"),
        ("bm25(top_k=[1,2", "Could not read the retriever"),
    ],
)
def test_mistakes(text: str, told: str) -> None:
    with pytest.raises(InputError, match="(?s)" + told.replace("(", r"\(")) as caught:
        expand([text], {})
    assert "\n" not in str(caught.value)


def test_an_enormous_grid_is_refused_before_it_is_made() -> None:
    settings = {"top_k": list(range(1, 1001)), "n_hop": list(range(1, 9))}
    with pytest.raises(InputError, match=f"8,000 combinations .* may have {MOST}"):
        expand(["hoprag-similarity"], settings)
    with pytest.raises(InputError, match="The grid has"):
        expand(["hoprag-coverage(n_hop=1..8,width=1..9,seeds=0..9,top_k=1..99)"], {})
