"""The most that a run may spend on a model, in dollars or in tokens."""

from dataclasses import dataclass

from core.errors import InputError
from core.progress import dollars


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run: `money` in dollars, `tokens` in and out; None means unlimited."""

    money: float | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        if any(limit is not None and not limit > 0 for limit in (self.money, self.tokens)):
            raise InputError("A budget must be greater than zero. Omit it for no limit.")

    def __bool__(self) -> bool:
        return self.money is not None or self.tokens is not None

    def __str__(self) -> str:
        money = "" if self.money is None else dollars(self.money)
        tokens = "" if self.tokens is None else f"{self.tokens:,} tokens"
        return " and ".join(filter(None, (money, tokens)))


NO_BUDGET = Budget()
