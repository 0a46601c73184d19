"""Reranking: late interaction token by token, and a cross-encoder from a folder."""

from dataclasses import dataclass

import numpy as np
import pytest

from core.artefacts.workbench import Workbench
from core.errors import InputError, ModelError
from core.models.reranker import CrossEncoded, MaxSim
from core.playback import check
from core.retrievers import make
from core.retrievers.wrappers.rerank import CROSS, LATE
from core.steps import Asked, Offered, Ranked, Step
from core.store.schema import passage_text
from core.vectors import unit_norm
from tests.core.five import QUESTION

Q = QUESTION.text


def walked(bench: Workbench, spec: str, question: str = Q) -> tuple[Step, ...]:
    steps = tuple(make(spec, bench).retrieve(question))
    check(steps)
    return steps


def found_inside(steps) -> Ranked:
    return next(step for step in steps if isinstance(step, Ranked))


def late(asked, read) -> float:
    """MaxSim as it is told: of each token of the question the nearest one of the text."""
    total = 0.0
    for one in asked:
        total += max(sum(a * b for a, b in zip(one, other, strict=True)) for other in read)
    return total / len(asked)


@dataclass
class HandMade:
    """Tokens by text."""

    vectors: dict

    def tokens(self, texts):
        return [unit_norm(np.array(self.vectors[text], np.float32)) for text in texts]


def test_late_interaction_is_a_mean_of_the_nearest():
    embedder = HandMade(
        {
            "q": [[1, 0, 0], [0, 1, 0]],
            "both": [[0, 5, 0], [0, 0, 1], [3, 0, 0]],
            "one": [[1, 0, 0]],
            "half": [[1, 1, 0]],
            "against": [[-1, -1, 0]],
        }
    )
    found = MaxSim(embedder).scores("q", ["both", "one", "half", "against"])
    assert found == pytest.approx([1, 1 / 2, 1 / 2**0.5, -1 / 2**0.5])


def test_late_interaction_of_many_against_two_loops():
    rng = np.random.default_rng(0)
    made = {str(n): rng.normal(size=(rng.integers(1, 9), 4)) for n in range(30)}
    embedder = HandMade(made)
    tokens = dict(zip(made, embedder.tokens(list(made)), strict=True))
    found = MaxSim(embedder).scores("0", list(made))
    assert found == pytest.approx([late(tokens["0"], tokens[name]) for name in made], abs=1e-6)
    assert MaxSim(embedder).scores("0", []).shape == (0,)


def test_the_passages_of_the_other_by_their_own_score(workbench):
    steps = walked(workbench, "rerank(over=dense)")
    inner = found_inside(steps)
    texts = {p.id: passage_text(p.title, p.text) for p in workbench.index.passages}
    asked, *read = workbench.embedder.tokens([Q, *texts.values()])
    scores = {name: late(asked, each) for name, each in zip(texts, read, strict=True)}
    assert [(hit.passage_id, hit.score) for hit in steps[-1].hits] == [
        (name, pytest.approx(scores[name], abs=1e-6))
        for name in sorted(scores, key=lambda name: -scores[name])
    ]
    assert {part.name for hit in steps[-1].hits for part in hit.parts} == {LATE}
    assert steps[-1].engine == LATE
    before = {hit.passage_id: place for place, hit in enumerate(inner.hits, start=1)}
    offered = steps[-2]
    assert isinstance(offered, Offered)
    for place, offer in enumerate(offered.offers, start=1):
        moved = before[offer.target] != place
        assert offer.notes == ((("was", f"{before[offer.target]}."),) if moved else ())


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("top_k", [1, 2, 100])
def test_depth_is_what_is_read_and_top_k_what_is_kept(workbench, depth, top_k):
    steps = walked(workbench, f"rerank(over=dense,depth={depth},top_k={top_k})")
    inner = found_inside(steps)
    offered = steps[-2]
    assert len(inner.hits) == min(depth, 5)
    assert {offer.target for offer in offered.offers} == {hit.passage_id for hit in inner.hits}
    assert len(steps[-1].hits) == min(depth, 5, top_k)
    assert [hit.passage_id for hit in steps[-1].hits] == [o.target for o in offered.taken]
    assert len(steps[-1].hits) + len(steps[-1].pruned) == min(depth, 5)
    assert (steps[0].top_k, steps[1].top_k) == (top_k, depth)


def test_over_what_finds_nothing(workbench):
    steps = walked(workbench, "rerank(over=bm25)", "zzzz qqqq")
    assert steps[-1] == Ranked((), engine=LATE, told=steps[-1].told)
    assert [type(step).__name__ for step in steps] == ["Asked", "Asked", "Ranked", "Ranked"]


def test_twice_is_the_same_order_in_two_brackets(workbench):
    once = walked(workbench, "rerank(over=bm25)")
    twice = walked(workbench, "rerank(over=rerank(over=bm25))")
    assert twice[-1].hits == once[-1].hits
    assert [step.id for step in twice if isinstance(step, Asked)] == ["#", "#1", "#1.1"]
    assert all(offer.notes == () for offer in twice[-2].offers)


@pytest.mark.parametrize("question", ["?!", "a", "\x00", "🙂" * 300, "word " * 2000])
def test_any_question(workbench, question):
    assert len(walked(workbench, "rerank(over=dense)", question)[-1].hits) == 5


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory) -> str:
    from tests.core.tiny_model import make_tiny_cross_encoder

    return str(make_tiny_cross_encoder(tmp_path_factory.mktemp("cross")))


def test_a_cross_encoder_reads_each_pair(workbench, cross_encoder):
    from sentence_transformers import CrossEncoder

    steps = walked(workbench, f'rerank(over=dense,model="{cross_encoder}")')
    texts = {p.id: passage_text(p.title, p.text) for p in workbench.index.passages}
    model = CrossEncoder(cross_encoder, device="cpu", local_files_only=True)
    alone = {name: float(model.predict([(Q, text)])[0]) for name, text in texts.items()}
    scores = {hit.passage_id: hit.score for hit in steps[-1].hits}
    assert scores == pytest.approx(alone, abs=1e-4)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert steps[-1].engine == CROSS
    assert {part.name for hit in steps[-1].hits for part in hit.parts} == {CROSS}
    assert CrossEncoded(cross_encoder).scores(Q, []).shape == (0,)
    asked, long = "word " * 400, "word " * 5000
    assert np.isfinite(CrossEncoded(cross_encoder).scores(asked, ["", long, "🙂\x00"])).all()


@pytest.mark.parametrize("labels", [2, 3])
def test_a_model_with_more_numbers_a_pair_is_refused(workbench, tmp_path, labels):
    from tests.core.tiny_model import make_tiny_cross_encoder

    folder = make_tiny_cross_encoder(tmp_path, labels)
    with pytest.raises(ModelError, match=rf"gives {labels} scores per pair.*trained for ranking"):
        walked(workbench, f'rerank(over=dense,model="{folder}")')


def test_what_is_no_model_says_what_to_do(workbench, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://hub.invalid")
    (tmp_path / "empty").mkdir()
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "config.json").write_text('{"a": 1}')
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{")
    for name in (*(tmp_path / n for n in ("empty", "wrong", "file", "broken")), "nobody/no-such"):
        with pytest.raises(ModelError, match=r"could not be loaded.*leave the setting empty"):
            walked(workbench, f'rerank(over=dense,model="{name}")')


def test_a_folder_with_broken_weights_says_what_to_do(workbench, tmp_path):
    from tests.core.tiny_model import make_tiny_cross_encoder

    folder = make_tiny_cross_encoder(tmp_path)
    (folder / "model.safetensors").write_bytes(b"cut short")
    with pytest.raises(ModelError, match="could not be loaded"):
        walked(workbench, f'rerank(over=dense,model="{folder}")')


def test_a_name_that_is_no_text_is_refused(workbench):
    with pytest.raises(InputError):
        make("rerank", workbench, model="x" * 301)
