"""Text, Markdown, HTML, JSON and CSV files that are made to harm whoever reads them."""

import json
from collections.abc import Mapping
from functools import cache

from core.corpus.formats import SUFFIXES

# What no text is, in one encoding or another.
_BYTES = {
    "surrogates": b"A city \xed\xa0\x80\xed\xb0\x80 and more.",
    "utf16-odd": b"\xff\xfeA\0 \0c\0i",
    "utf32-broken": b"\xff\xfe\0\0A\0\0\0\xff\xff\xff\xff",
    "overlong": b"A \xc0\xaf\xe0\x80\xaf city \xfe\xff.",
    "utf16-unmarked": "A city of words.".encode("utf-16-le"),
    "many-marks": b"\xef\xbb\xbf" * 50 + b"A city.",
}


def of_any_kind(good: Mapping[str, bytes]) -> dict[str, bytes]:
    """For each ending: nothing, blanks, noise, half of a good file, one that goes on with noise."""
    noise = bytes((number * 7919) % 251 for number in range(3000))
    files = {}
    for suffix in SUFFIXES:
        whole = good.get(suffix, b'{"id": "a", "text": "A city."}\n')
        files |= {
            f"empty{suffix}": b"",
            f"blank{suffix}": b" \r\n\t" * 100,
            f"noise{suffix}": noise,
            f"half{suffix}": whole[: len(whole) // 2],
            f"tail{suffix}": whole + noise,
            f"nul{suffix}": whole[:10] + b"\0" * 20 + whole[10:],
        }
    return files


def encodings() -> dict[str, bytes]:
    return {
        f"{name}{suffix}": (b"text\n" if suffix == ".csv" else b"") + content
        for name, content in _BYTES.items()
        for suffix in (".txt", ".md", ".html", ".csv")
    }


def long_lines() -> dict[str, bytes]:
    """One line and no end, of what rules look at closely."""
    return {
        "capitals.txt": b"A " * 500_000,
        "initials.txt": b"A. " * 300_000,
        "digits.txt": b"1 " * 500_000,
        "one-word.txt": b"a" * 5_000_000,
        "quotes.txt": b'" ' * 300_000,
        "heading.md": b"# " + b"A. " * 300_000,
        "headings.md": b"#" * 1_000_000,
        "marks.txt": "e\u0301\u0323".encode() + "\u0301\u0323".encode() * 30_000,
        "lines.txt": b"\n \n" * 500_000 + b"A.",
        "controls.txt": b"A city. \x1b]0;evil\x07\x1b[2J" + b"words " * 500,
        "right-to-left.txt": "A city \u202e\u2066of words.\u2069".encode(),
    }


def html() -> dict[str, bytes]:
    laughs = b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12))
    return {
        "deep.html": b"<div>" * 3000 + b"Deep.",
        "deeper.html": b"<b>" * 500_000 + b"Deep.",
        "tables.html": b"<table><tr><td>" * 800 + b"Deep.",
        "unclosed.html": b"<p>A " * 200_000,
        "entities.html": b"&amp;" * 500_000,
        "laughs.html": b'<!DOCTYPE x [<!ENTITY a0 "ha">' + laughs + b"]><p>&a11;</p>",
        "file-entity.html": b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>A &a;</p>',
        "attributes.html": b"<p " + b" ".join(b"a%d=1" % n for n in range(50_000)) + b">A city.",
        "long-tag.html": b"<" + b"a" * 1_000_000 + b">A city.",
        "comment.html": b"<!-- " + b"- " * 500_000,
        "script.html": b"<script>only()</script>",
        "no-charset.html": b'<meta charset="no-such"><p>A city.',
        "wrong-charset.html": b'<meta charset="utf-16"><p>A city.',
        "numbers.html": b"<p>A &#0; &#xD800; &#x110000; &#99999999999; city.",
        "title.html": b"<title>" + b"A. " * 200_000 + b"</title><p>A city.",
    }


def json_files() -> dict[str, bytes]:
    def rows(*found: object) -> bytes:
        return "\n".join(map(json.dumps, found)).encode()

    deep = b"[" * 900 + b"]" * 900
    hotpot = {"question": "Who?", "answer": "A", "supporting_facts": []}
    return {
        "deep.json": b"[" * 200_000,
        "deep-objects.json": b'{"a":' * 200_000,
        "deep-field.jsonl": b'{"text": "A city.", "x": ' + deep + b"}",
        "deep-line.jsonl": b'{"text": "A."}\n{"text": ' + b"[" * 100_000 + b"}",
        "lists.json": b"[" + b"[]," * 1_000_000 + b"[]]",
        "objects.json": b"[" + b"{}," * 1_000_000 + b"{}]",
        "short-records.jsonl": b'{"text":"a"}\n' * 600_000,
        "number.json": b'[{"text": "A.", "n": ' + b"9" * 5000 + b"}]",
        "number-4000.json": b'[{"text": "A.", "n": ' + b"9" * 4000 + b"}]",
        "huge-float.json": b'[{"text": "A.", "n": 1e999999, "m": -1e400}]',
        "constants.json": b'[{"text": "A.", "n": NaN, "m": Infinity, "id": NaN}]',
        "surrogates.jsonl": rb'{"id": "a\ud800", "title": "\udfff", "text": "A", "\ud800": 1}',
        "surrogate-url.json": (
            rb'[{"query": "", "evidence_list": [{"title": "", "url": "\ud800"}]}]'
        ),
        "nul-escapes.jsonl": rb'{"id": "\u0000", "title": "\u0000", "text": "A\u0000\u001b[2J"}',
        "same-keys.json": b"[{" + b'"text": "A.", ' * 100_000 + b'"text": "B."}]',
        "many-keys.json": rows([{"text": "A.", **{f"k{n}": n for n in range(200_000)}}]),
        "title-capitals.jsonl": rows({"title": "A " * 300_000 + "B", "text": "A " * 10_000}),
        "title-digits.jsonl": rows({"title": "1 " * 300_000 + "2", "text": "1 " * 10_000}),
        "title-initials.jsonl": rows({"title": "A. " * 300_000, "text": "A city."}),
        "long-id.jsonl": rows({"id": "a" * 2_000_000, "text": "A city."}),
        "same-ids.jsonl": rows(*({"id": "a", "text": f"A {n}."} for n in range(2000))),
        "ids-of-all-kinds.jsonl": rows(
            *({"id": value, "text": f"A {value}."} for value in (None, True, [], {}, 1.5, -0.0))
        ),
        "texts-of-all-kinds.jsonl": rows(
            {"text": "A."}, *({"text": value} for value in (None, 5, [1], {"a": 1}, [["a"]], True))
        ),
        "hotpot-empty.json": rows([{**hotpot, "context": {}}]),
        "hotpot-numbers.json": rows([{**hotpot, "context": [[1, 2], [3, [4]]]}]),
        "hotpot-wide.json": rows([{**hotpot, "context": [["A", ["a"]]] * 200_000}]),
        "hotpot-ragged.json": rows([{**hotpot, "context": [["A", ["a"]], ["B"]]}]),
        "musique-texts.json": rows([{"question": "Who?", "paragraphs": ["A", 1, None]}]),
        "multihop-null.json": rows([{"query": "Who?", "evidence_list": None}]),
        "article-null.json": rows([{"title": None, "body": None, "url": None, "published_at": 1}]),
        "qrels-nan.jsonl": b'{"query-id": "q", "corpus-id": "d", "score": NaN}',
        "qrels-huge.jsonl": b'{"query-id": "q", "corpus-id": "d", "score": 1' + b"0" * 400 + b"}",
        "question-list.jsonl": rows({"question": ["Who?"], "gold": {"a": 1}}),
        "gold.jsonl": rows({"question": "Who?", "gold": "a|" * 100_000, "answer": [None, []]}),
        "metadata.jsonl": rows({"text": "A.", "metadata": {"metadata": {"a": [1]}, "": 5}}),
        "mixed.json": rows([{"text": "A."}, 5, "A", None]),
        "scalar.json": b"5",
        "string.json": b'"' + b"A " * 300_000 + b'"',
    }


@cache
def csv_files() -> dict[str, bytes]:
    wide = b",".join(b"c%d" % n for n in range(2000)) + b",text\n"
    return {
        "commas.csv": b"text" + b",a" * 400 + b"\n" + (b"A" + b"," * 400 + b"\n") * 19_000,
        "wide.csv": wide + (b"1," * 2000 + b"A\n") * 1500,
        "rows.csv": b"text\n" + b"a\n" * 2_000_000,
        "unclosed.csv": b'id,text\n1,"never closed\n' + b"2,B.\n" * 300_000,
        "quotes.csv": b"id,text\n" + b'"' * 1_000_001,
        "huge-field.csv": b'id,text\n1,"' + b"word " * 1_000_000 + b'"\n',
        "ragged.csv": b"id,text\n1\n2,B.\n3,C.,,,\n",
        "short.csv": b"id,title,text\n1\n2\n3,,C.\n",
        "header.csv": b"," * 500_000 + b"text\nA.",
        "same-columns.csv": b"text,text,text\nA.,B.,C.\n",
        "returns.csv": b"id,text\r1,A.\r2,B.\r",
        "formula.csv": b"id,text\n=cmd|' /C calc'!A0,=1+1\n",
        "separators.csv": b"id;text,x\t|\n1;A.\n",
        "tabs.tsv": b'id\ttext\n1\t"A city\n2\tB "x" y\n',
        "blank-header.csv": b",,,\n1,2,3,4\n",
        "unicode-lines.csv": "id,text\n1,A\u2028B\u0085C\n".encode(),
    }
