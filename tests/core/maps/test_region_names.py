from core.maps.region_names import name_regions
from core.maps.regions import ROOT, Region
from core.maps.terms import terms_of

FILM = "{0} is a film by Ada Birch. The film was shown to the crew. A film of the coast."
SHIP = "{0} is a ship. The ship sank, and the crew of the ship was saved near the coast."


def regions(*groups: list[int]) -> list[Region]:
    everyone = sorted(n for group in groups for n in group)
    root = Region(ROOT, 0, everyone, list(range(1, len(groups) + 1)), size=len(everyone))
    return [root, *(Region(0, 1, group, size=len(group)) for group in groups)]


def named(passages: list[tuple[str, str]], *groups: list[int]) -> list[str]:
    made = regions(*groups)
    name_regions(made, terms_of(passages), [title for title, _ in passages])
    return [one.name for one in made[1:]]


def test_a_region_is_called_by_what_sets_it_apart():
    passages = [(f"F{n}", FILM.format(f"F{n}")) for n in range(6)]
    passages += [(f"S{n}", SHIP.format(f"S{n}")) for n in range(6)]
    films, ships = named(passages, list(range(6)), list(range(6, 12)))
    assert films.startswith("Film")
    assert ships.startswith("Ship")
    assert "Coast" not in films + ships


def test_a_region_of_many_subjects_is_not_called_by_a_person():
    passages = [(f"F{n}", FILM.format(f"F{n}")) for n in range(8)]
    passages[0] = ("X", "A tale of Mara Quist. The film has Mara Quist in it, on the coast.")
    passages[1] = ("Y", "A song of Mara Quist. The film has Mara Quist in it, on the coast.")
    passages += [(f"S{n}", SHIP.format(f"S{n}")) for n in range(6)]
    films, _ = named(passages, list(range(8)), list(range(8, 14)))
    assert not films.startswith("Mara Quist")


def test_without_anything_distinctive_a_title_stands_for_the_region():
    passages = [("甲", "一"), ("乙", "二"), ("丙", "三"), ("丁", "四")]
    assert named(passages, [0, 1], [2, 3]) == ["甲 and 1 more", "丙 and 1 more"]


def test_what_a_passage_says_it_is_weighs_more_than_its_title_and_the_rest():
    both = ("The crew", "Selby was a film and ship. It left the coast.")
    passages = [("F0", FILM.format("F0")), ("The crew", SHIP.format("S1")), both] * 3
    film, ship, two = terms_of(passages).of[:3]
    assert [film[noun] for noun in ("film", "crew", "coast")] == [2.0, 1.0, 1.0]
    assert [ship[noun] for noun in ("ship", "crew", "coast")] == [2.0, 1.5, 1.0]
    assert [two[noun] for noun in ("film", "ship", "crew", "coast")] == [2.0, 2.0, 1.5, 1.0]
