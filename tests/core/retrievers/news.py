"""Seven reports of two papers and a blog, with a date, an author and a section each."""

from core.types import Document

REPORTS = {
    "flood": ("The Harbour Post", "2021-05-03", "Ilo Venn", "weather", "The Ash flooded the port."),
    "wall": ("The Harbour Post", "2021-05-20", "Ada Birch", "town", "A flood wall is planned."),
    "vote": ("The Harbour Post", "2022-01-11", "Ada Birch", "town", "Selby voted on a flood wall."),
    "brewery": ("Selby Echo", "2021-05-20", "Ilo Venn", "town", "The flood reached the brewery."),
    "storm": ("Selby Echo", "2021-11-02", "Mara Quist", "weather", "A storm took the pier roof."),
    "match": ("Selby Echo Sports", "2022-01-11", "Ilo Venn", "sports", "Rovers won in a flood."),
    "diary": ("", "", "", "", "My cellar is wet from the flood."),
}
DOCUMENTS = tuple(
    Document(
        id_,
        id_.title(),
        text,
        "news.json",
        {"source": source, "date": date, "author": author, "section": section, "long": False},
    )
    for id_, (source, date, author, section, text) in REPORTS.items()
)
