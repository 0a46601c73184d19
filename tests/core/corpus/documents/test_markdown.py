"""Markdown: front matter, and what Obsidian and browsers do not show."""

from pathlib import Path

import pytest

from core.corpus import Chunking, chunk
from tests.core.corpus.documents.reading import only

NOTE = """---
title: Osprey
aliases: [the ferry]
---
Rebuilt by the [[Tamsin yard|yard]] in 1988. ![[osprey.png]] See [the log](log.md)."""


def test_links_and_embeds_of_obsidian(tmp_path: Path) -> None:
    made, notes = only(tmp_path, "a.md", NOTE)
    assert (made.title, made.text) == ("Osprey", "Rebuilt by the yard in 1988. See the log.")
    assert made.metadata == {"aliases": "the ferry", "links": "Tamsin yard"}
    assert notes == [
        "1 link to notes written without brackets; a link itself makes no edge",
        "1 embedded image or other file left out",
        "1 link kept as text without the address",
    ]


@pytest.mark.parametrize(
    "matter",
    [
        "---\ntitle: >-\n  The Orrin\n  Mill\ntags: [mill]\n---\n",
        '+++\ntitle = "The Orrin Mill"\ntags = ["mill"]\n+++\n',
        '---\r\ntitle: "The Orrin Mill"\r\ntags:\r\n  - mill\r\n...\r\n',
        "---\nTitle: The Orrin Mill\ntags: mill\n---\n",
    ],
)
def test_front_matter(tmp_path: Path, matter: str) -> None:
    made, notes = only(tmp_path, "a.markdown", f"{matter}\nBuilt by Finch.\n")
    assert (made.title, made.text, notes) == ("The Orrin Mill", "Built by Finch.", [])
    assert made.metadata == {"tags": "mill"}


@pytest.mark.parametrize(
    "matter",
    [
        "title: The Mill\nbroken: [",
        "title: The Mill\na: &a [x]\nb: [*a, *a]",
        f"title: The Mill\na: {'[' * 3000}",
        "title: The Mill\na: !!python/object/apply:os.system [ls]",
    ],
)
def test_front_matter_that_is_broken_or_hostile_gives_its_title(
    tmp_path: Path, matter: str
) -> None:
    made, notes = only(tmp_path, "a.md", f"---\n{matter}\n---\nText.")
    assert (made.title, made.text, dict(made.metadata)) == ("The Mill", "Text.", {})
    assert notes == ["1 front matter with invalid YAML or TOML left out, except its title"]


def test_nested_fields_of_front_matter_are_counted(tmp_path: Path) -> None:
    text = "---\ntitle: Mills\nby: {name: Ada}\nyear: 1790\n---\nText."
    made, notes = only(tmp_path, "a.md", text)
    assert (made.title, made.metadata) == ("Mills", {"year": 1790})
    assert notes == ["1 field of front matter with nested values left out"]


def test_a_title_that_the_file_is_called_by_goes_before_a_heading(tmp_path: Path) -> None:
    made, _ = only(tmp_path, "osprey.md", "---\ntitle: Osprey\n---\n# History\n\nBuilt in 1988.")
    assert made.title == "Osprey"


def test_rules_around_a_text_are_no_front_matter(tmp_path: Path) -> None:
    made, _ = only(tmp_path, "a.md", "---\nA text.\n---\nMore.")
    assert "A text." in made.title + made.text


def test_comments_are_left_out_where_they_are_none_of_code(tmp_path: Path) -> None:
    text = "One.%% private\nnote %% <!-- not\nshown -->Two.\n\n```\n%% code %% [[x]]\n```\n`[[y]]`"
    made, notes = only(tmp_path, "a.md", text)
    assert made.text == "One. Two.\n\n```\n%% code %% [[x]]\n```\n`[[y]]`"
    assert notes == ["2 Markdown comments left out"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("[[Ada Finch]]", "Ada Finch"),
        ("[[people/Ada Finch#Life]]", "Ada Finch > Life"),
        ("![a mill](mill.png)", "a mill"),
        ("[the log][1]\n\n[1]: log.md 'Log'", "the log"),
        ('[log](a_(b).md "t")', "log"),
        ("[1] and a[i] and [no] (x)", "[1] and a[i] and [no] (x)"),
        ("| Mill | Built |\n|---|---|\n| Orrin | 1790 |", "Mill: Orrin; Built: 1790."),
    ],
)
def test_links_images_and_tables(tmp_path: Path, written: str, text: str) -> None:
    assert only(tmp_path, "a.md", written)[0].text == text


def test_what_metadata_has_no_room_for_is_counted(tmp_path: Path) -> None:
    links = " ".join(f"[[Note number {n:04}]]" for n in range(200))
    made, found = only(tmp_path, "a.md", f"---\nabout: {'word ' * 200}\n---\n{links}")
    kept = str(made.metadata["links"]).split(", ")
    assert kept[-1] == f"Note number {len(kept) - 1:04}"
    assert found == [
        "1 long value of front matter cut after 500 characters",
        "200 links to notes written without brackets; a link itself makes no edge",
        f"{200 - len(kept)} linked notes left out of the field 'links'",
    ]


def test_a_rule_between_sections_is_no_passage(tmp_path: Path) -> None:
    text = "# One\n\nText.\n\n# Two\n\n---\n\n# Three\n\nMore.\n\n***\n\n```\n---\n```\n"
    made, found = only(tmp_path, "a.md", text)
    assert [each.text for each in chunk([made], Chunking())] == [
        "Text.",
        "Two",
        "More.\n\n```\n---\n```",
    ]
    assert found == ["2 horizontal rules left out"]
    plain, _ = only(tmp_path, "b.txt", "One mill.\n\n* * *\n\nTwo mills.")
    passages = chunk([plain], Chunking("sentence"))
    assert [each.text for each in passages] == ["One mill.", "Two mills."]


def test_superscripts_and_subscripts(tmp_path: Path) -> None:
    text = "1988<sup>2</sup>, H<sub>2</sub>O and 10<sub>2</sub>, not `a<sup>2</sup>`."
    made, _ = only(tmp_path, "a.md", text)
    assert made.text == "1988², H2O and 10₂, not `a<sup>2</sup>`."
