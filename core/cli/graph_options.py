"""Options that limit the graph of a new index."""

from typing import Annotated

import typer

from core.store.graph_limits import HIGHEST

InQuestionsOption = Annotated[
    int,
    typer.Option(
        min=0,
        max=HIGHEST["in_questions"],
        metavar="N",
        help="Generate at most N in-questions per passage (2 in the paper). 0 is automatic: rules "
        "generate one per sentence, a model 2 to 8.",
    ),
]
OutQuestionsOption = Annotated[
    int,
    typer.Option(
        min=0,
        max=HIGHEST["out_questions"],
        metavar="N",
        help="Generate at most N out-questions per passage (4 in the paper). 0 is automatic: rules "
        "generate one per name, a model 4 to 10.",
    ),
]
EdgeCapOption = Annotated[
    int,
    typer.Option(
        min=0,
        max=HIGHEST["edge_cap"],
        metavar="N",
        help="Keep at most N edges per passage on average, the most similar ones. 0 is automatic: "
        "ln n, for n passages.",
    ),
]
