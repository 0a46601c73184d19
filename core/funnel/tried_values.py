"""The values of one setting that were tried, from which sentences and tables are made."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.playback.wording import join_names
from core.retrievers.settings import Declared

FEW = 3
"""Values that are named one by one where no others work."""
Number = int | float
_RANGE = re.compile(r"all (values|[\d,]+ values tried) from ([\d.,]*\d) to ([\d.,]*\d) work")
_NAMED = re.compile(r"only (.+?)(?: of the [\d,]+ values tried)? works?")
_NUMBER = re.compile(r"[\d.,]*\d")


@dataclass(frozen=True)
class TriedValues:
    """The outcome of each value of a numeric setting.

    Parameters
    ----------
    of : the setting.
    now : its value without a change, with which the passage is lost.
    ranks : by value the rank of the passage, 0 where it is not retrieved.
    """

    of: Declared
    now: Number
    ranks: Mapping[Number, int]

    @cached_property
    def tried(self) -> list[Number]:
        """The values that were tried, in ascending order."""
        return sorted(value for value in self.ranks if value != self.now)

    @cached_property
    def works(self) -> list[Number]:
        """Values that retrieve the passage."""
        return [value for value in self.tried if self.ranks[value]]

    @property
    def nearest(self) -> Number | None:
        """The value closest to the present one that retrieves the passage."""
        return min(self.works, key=lambda value: abs(value - self.now), default=None)

    def sentence(self) -> str:
        """Say which values retrieve the passage, in a few words; empty if one alone was tried.

        >>> from core.retrievers import Spec
        >>> width = Spec("hoprag-coverage").declared[3]
        >>> TriedValues(width, 6, {1: 0, 2: 0, 3: 9, 4: 20, 5: 0}).sentence()
        'only 3 and 4 of the 5 values tried work'
        >>> TriedValues(width, 6, {7: 0, 8: 20}).sentence()
        '8 works. Higher values were not tried'
        >>> TriedValues(width, 6, {8: 20, 9: 20, 11: 20, 13: 20, 15: 0}).sentence()
        'all 4 values tried from 8 to 13 work'
        >>> TriedValues(width, 6, {8: 20, 9: 0, 11: 20, 15: 0}).sentence()
        'only 8 and 11 of the 4 values tried work'
        """
        if len(self.tried) < 2 or not self.works:
            return ""
        return f"{self._working_values()}{self._untried_sides()}"

    def _working_values(self) -> str:
        """Describe which of the tried values work."""
        first, last = self.works[0], self.works[-1]
        if len(self.works) <= FEW and not self._ends_open and len(self.works) < len(self.tried):
            return f"only {self._value_names(self.works)}{self._share} {self._verb}"
        if first == last:
            return f"{self._worded(first)} works"
        inside = [value for value in self.tried if first <= value <= last]
        reach = f"from {self._worded(first)} to {self._worded(last)}"
        if len(inside) > len(self.works):
            return f"{len(self.works)} of the {len(inside)} values tried {reach} work"
        every = self.of.kind is int and len(inside) == last - first + 1
        return f"all {'values' if every else f'{len(inside)} values tried'} {reach} work"

    def _untried_sides(self) -> str:
        """Say on which side no value was tried beyond those that work."""
        sides = [
            side
            for side, is_open in (("Lower", self._open_below), ("Higher", self._open_above))
            if is_open
        ]
        return f". {' and '.join(sides).capitalize()} values were not tried" if sides else ""

    @property
    def _ends_open(self) -> bool:
        return self._open_below or self._open_above

    @property
    def _open_above(self) -> bool:
        most = self.of.setting.most
        return max(*self.tried, self.now) == self.works[-1] and self.works[-1] != most

    @property
    def _open_below(self) -> bool:
        least = self.of.setting.least
        return min(*self.tried, self.now) == self.works[0] and self.works[0] != least

    @property
    def _share(self) -> str:
        """The number of values tried, unless all possible ones were tried."""
        least, most = self.of.setting.least, self.of.setting.most
        if self.of.kind is not int or least is None or most is None:
            return f" of the {len(self.tried)} values tried"
        every = len({*self.tried, self.now}) == most - least + 1
        return "" if every else f" of the {len(self.tried)} values tried"

    @property
    def _verb(self) -> str:
        return "works" if len(self.works) == 1 else "work"

    def _value_names(self, values: list[Number]) -> str:
        return join_names([self._worded(value) for value in values])

    def _worded(self, value: Number) -> str:
        return self.of.worded(int(value) if self.of.kind is int else round(value, 4))


def working_at(sentence: str, value: Number) -> Literal["replayed", "between", ""]:
    """Return the sentence on tried values for one of them.

    It is `replayed` if that value retrieves the passage, `between` if it was perhaps not tried but
    smaller and larger values work, and empty if nothing is known or it does not work.

    >>> working_at("all values from 4 to 8 work", 5), working_at("only 3 and 4 work", 5)
    ('replayed', '')
    >>> working_at("all 4 values tried from 3 to 7 work. Lower values were not tried", 5)
    'between'
    """
    if found := _RANGE.match(sentence):
        first, last = (float(one.replace(",", "")) for one in found.groups()[1:])
        if not first <= value <= last:
            return ""
        every = found[1] == "values" or value in (first, last)
        return "replayed" if every else "between"
    if found := _NAMED.match(sentence):
        named = (float(one.replace(",", "")) for one in _NUMBER.findall(found[1]))
        return "replayed" if value in named else ""
    return ""
