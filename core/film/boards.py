"""What a step is about, as a list: a board for each kind of step that has something to show."""

from collections.abc import Collection, Sequence

from core.film.cast import Cast
from core.film.data import BoardData, RowData
from core.film.news import UNREACHED
from core.film.scores import SCORE, WORTH, Bars, Tones, board, measured, named, ranked
from core.film.words import TEXT, cropped
from core.playback import Frame
from core.playback.reasons import beaten
from core.playback.rounds import Round
from core.playback.wording import along, begun, called, number, singular, voice
from core.steps import ARROW, LEFT_OUT, Asked, Offer, Offered, Pooled, Said, Spread
from core.text.scores import FEWEST, SEEN
from core.types import Hit

EDGES = "edges"
"""What a walk over the graph is offered."""
REFUSED = 12
"""Rows of what was refused, the best; all that was taken is listed."""
AT_ONCE = 6
"""Rows of a list that are seen on a stage at any rate."""

PATH = 76
"""Characters of a path, which two lines of a stage hold."""
SUMMED, LEVEL = 2, 1e-9
"""Parts of a sum that are named; what two sums may differ by."""


def step_board(
    cast: Cast,
    now: Frame,
    whole: Round | None,
    known: Tones,
    places: int = FEWEST,
    led: Collection[str] = (),
) -> BoardData | None:
    """What the step of `now` did, or with `whole` its round; None for what only begins or ends.

    `places` are the decimals of a score, `led` the nodes by which gold was reached. In a list of
    entities and others each entity says that it is one.
    """
    made = _made(cast, now, whole, known, places, led)
    rows = made["rows"] if made else []
    kinds = {cast.kind(cast.names[row["node"]]) for row in rows if "node" in row}
    if made is None or "entity" not in kinds or len(kinds) == 1:
        return made
    return {**made, "rows": [_kinded(cast, row) for row in rows]}


def _kinded(cast: Cast, row: RowData) -> RowData:
    """`row` with the kind of its node behind its name, if that is an entity."""
    name = cast.names[row["node"]] if "node" in row else ""
    if not name or "called" in row or cast.kind(name) != "entity":
        return row
    return {**row, "called": f"{cast.bare(name)} (entity)"}


def _made(
    cast: Cast,
    now: Frame,
    whole: Round | None,
    known: Tones,
    places: int,
    led: Collection[str],
) -> BoardData | None:
    match now.step:
        case Offered() if whole:
            return _followed(cast, whole, known, places)
        case Offered() as step:
            return _offered(cast, now, step, known, places, {*cast.gold, *led})
        case Spread() as step:
            note = f"the largest {number(len(step.hits), 'share')}"
            return _hits(cast, begun(step.of), note, now, step.hits, known, places)
        case Pooled() as step:
            several, note = len(step.of) > 1, number(len(step.hits), "passage")
            note += f" of {len(step.of)} lists" if several else f" · {step.of[0]}"
            note += _added(step, known) if several else ""
            title = "Merged" if several else "Passages"
            return _hits(cast, title, note, now, step.hits, known, places)
        case Said() as step:
            return _said(cast, step)
        case Asked() as step:
            return _asked(cast, step, now.depth)
        case _:
            return None


def _offered(
    cast: Cast, now: Frame, step: Offered, known: Tones, places: int, sought: Collection[str]
) -> BoardData:
    """All that was taken, then the best that was refused, each best first with its place; before
    these, where nothing is taken, who came nearest to it. Those `sought` are gold and what led
    there.
    """
    bars = Bars.of((offer.parts for offer in step.offers), known, places)
    ranked = list(enumerate(step.offers, start=1))
    taken = [one for one in ranked if one[1].taken]
    refused = [one for one in ranked if not one[1].taken]
    if not taken and (nearest := beaten(step)):  # of whom the sentence speaks
        refused.sort(key=lambda one: one[1] is not nearest)
    shown = refused[:REFUSED]
    rows: list[RowData] = [
        {**_offer(cast, offer, bars), **_placed(cast, offer, place, step, sought, now)}
        for place, offer in (*taken, *shown)
    ]
    more = (len(step.offers) if step.entry else step.scored) - len(rows)
    why = _why(step)
    if why and rows and not step.entry:
        rows.insert(0, {"text": why})
    title = "Seeds" if step.entry else f"{begun(step.of)} on offer"
    scores = {offer.target: offer.score for offer in step.offers}
    measure = measured(scores, now, WORTH if step.of == EDGES else SCORE)
    rest = "more" if step.entry else "not taken"
    made = board(title, _considered(step), rows, bars, why, more, measure=measure, rest=rest)
    kinds = {cast.kind(offer.target) for offer in step.offers}
    return {**made, "bare": True} if kinds == {singular(step.of.rpartition(" ")[2])} else made


def _placed(
    cast: Cast, offer: Offer, place: int, step: Offered, sought: Collection[str], now: Frame
) -> RowData:
    """Where it stands by its score; of how many it is told of gold that is refused and was never
    reached, and of what is `sought` and taken far down, as others may be left out before it.
    """
    far = place > AT_ONCE and offer.target in sought
    lost = offer.target in cast.gold and now.roles.get(offer.target) in UNREACHED
    told = far if offer.taken else lost
    return {"place": place, "of": step.scored} if told else {"place": place}


def _followed(cast: Cast, whole: Round, known: Tones, places: int) -> BoardData:
    """What led to something new, and below a count what led back to what had been visited before,
    each best first.
    """
    bars = Bars.of((offer.parts for _, offer in whole.followed), known, places)
    shown = whole.told[: 2 * SEEN]
    rows: list[RowData] = [
        {**_offer(cast, offer, bars), "origin": cast.title(at)} for at, offer in shown
    ]
    asked = all(cast.kind(at) == "query" for at, _ in whole.told)  # which nothing is a visit of
    new = len(whole.told if asked else whole.first)
    back = len(whole.told) - new
    revisited: list[RowData] = [{**row, "faint": True} for row in rows[new:]]
    if revisited:
        counted = f"{back:,} {'leads' if back == 1 else 'lead'} to what was visited before"
        for row in revisited:
            row["sign"] = "r"
        revisited.insert(0, {"sign": "r", "text": counted})
    return board(
        f"{begun(whole.of)} taken",
        f"{len(whole.followed)} of {whole.considered:,} scored",
        [*rows[:new], *revisited],
        bars,
        empty="Nothing is taken in this round.",
        more=len(whole.followed) - len(shown),
        measure=WORTH if whole.of == EDGES else SCORE,
    )


def _why(step: Offered) -> str:
    """The reason; with a model also its verdict, and the fallback."""
    told = step.told
    verdict = f"{begun(told.verdict)}: " if told.verdict else ""
    fallback = f"Fallback: {told.fallback} " if told.fallback else ""
    return cropped(f"{fallback}{verdict}{told.reason}", TEXT)


def _considered(step: Offered) -> str:
    if step.entry:
        return f"{len(step.offers)} of {step.considered:,} {step.of} scored"
    if not step.offers:
        return ""
    some = f"{len(step.taken):,} of {step.scored:,}"
    return f"{some} fit into {step.room:,} tokens" if _is_full(step) else f"{some} taken"


def _is_full(step: Offered) -> bool:
    """Whether something was not taken as there was no room for it."""
    left = step.room - sum(offer.size for offer in step.taken)
    return bool(step.room) and any(offer.size > left for offer in step.offers if not offer.taken)


def _offer(cast: Cast, offer: Offer, bars: Bars) -> RowData:
    notes = ["backwards"] if offer.backwards else []
    notes += [f"{what} {text}" for what, text in offer.notes if what != LEFT_OUT]
    why = offer.why or next((text for what, text in offer.notes if what == LEFT_OUT), "")
    row: RowData = {**named(cast, offer.target), **bars.row(offer.score, offer.parts)}
    row["sign"] = "y" if offer.taken else "n"
    if ARROW in offer.label:
        row["called"] = along(offer.label, PATH)
    line = cast.line_number.get(offer.tie) if offer.tie else None
    if line is not None:
        row["line"] = line
    elif offer.label:
        row["text"] = cropped(offer.label, TEXT)
    if notes:
        row["note"] = " · ".join(notes)
    if not offer.taken:
        row["faint"] = True
        if why:
            row["why"] = why
    return row


def _hits(
    cast: Cast,
    title: str,
    note: str,
    now: Frame,
    hits: Sequence[Hit],
    known: Tones,
    places: int,
) -> BoardData:
    bars = Bars.of((hit.parts for hit in hits), known, places)
    rows = [ranked(cast, hit, bars) for hit in hits[:SEEN]]
    empty = "No node has any." if isinstance(now.step, Spread) else "It is empty."
    measure = measured({hit.passage_id: hit.score for hit in hits}, now)
    return board(title, note, rows, bars, empty, more=len(hits) - len(rows), measure=measure)


def _added(step: Pooled, known: Tones) -> str:
    """What scores are made of, where they are sums of two parts: a passage that was listed
    before has another one here.
    """
    if any(abs(hit.score - sum(part.value for part in hit.parts)) > LEVEL for hit in step.hits):
        return ""
    names = [key["name"] for key in Bars.of((hit.parts for hit in step.hits), known).keys]
    return f"; score: {' + '.join(names)}" if len(names) == SUMMED else ""


def _said(cast: Cast, step: Said) -> BoardData:
    rows: list[RowData] = [{"text": cropped(step.text, TEXT)}] if step.text else []
    if step.ends:
        rows.append({"note": "The search stops:", "text": step.ends})
    if step.rests_on:
        rows += [{"note": "Rests on:"}, *(named(cast, node) for node in step.rests_on)]
    if step.told.reason:
        rows.append({"note": "Why", "text": cropped(step.told.reason, TEXT)})
    if step.told.fallback:
        rows.append({"note": "Fallback", "text": cropped(step.told.fallback, TEXT)})
    return board(begun(voice(step.by)), rows=rows)


def _asked(cast: Cast, step: Asked, depth: int) -> BoardData:
    facts = [
        ("Retriever", called(step.retriever)),
        ("Keeps at most", number(step.top_k, "passage")),
    ]
    if step.terms:
        facts.append(("Keywords", ", ".join(step.terms)))
    if step.parents:
        facts.append(("Comes from", "; ".join(map(cast.title, step.parents))))
    if step.narrowed:
        before, left = step.narrowed
        facts.append(("Pass the filter", f"{left:,} of {before:,} passages"))
    # The question of the whole film stands above it already.
    rows: list[RowData] = [] if depth == 1 else [{"text": cropped(step.query, TEXT)}]
    rows += [{"note": what, "text": cropped(text, TEXT)} for what, text in facts]
    return board("Question", "" if depth == 1 else step.id, rows)
