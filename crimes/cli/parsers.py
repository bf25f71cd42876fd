"""Parsers for the values of options: what is accepted, and what is said of anything else."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import typer

from crimes.model.wording import closest


class _Invalid(typer.BadParameter):
    """A value that is refused; the message begins with the option: "--top must be a whole number"."""

    def format_message(self) -> str:
        names = self.param.opts if self.param else []
        return f"{max(names, key=len)} {self.message}" if names else self.message


# Formats that people write in two ways.
_SYNONYMS = {"md": "markdown", "markdown": "md"}


def one_of(names: Sequence[str]) -> Callable[[str], str]:
    """A parser that takes one of these names; `md` and `markdown` mean the same."""

    def parse(text: str) -> str:
        for name in (str(text), _SYNONYMS.get(str(text), "")):
            if name in names:
                return name
        hint = closest(str(text), names)
        suggestion = f"did you mean '{hint}'?" if hint else f"use {', '.join(names[:-1])} or {names[-1]}."
        raise _Invalid(f"'{text}' is not valid; {suggestion}")

    return parse


def whole_number(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """A parser of whole numbers in a range."""

    def parse(text: str) -> int:
        try:
            number = int(str(text))
        except ValueError:
            number = None
        if number is None or number < minimum or (maximum is not None and number > maximum):
            limits = f" from {minimum} to {maximum}" if maximum is not None else f", at least {minimum}"
            raise _Invalid(f"must be a whole number{limits}, not '{text}'.")
        return number

    return parse


def number(minimum: float, maximum: float) -> Callable[[str], float]:
    """A parser of numbers in a range; nan is neither in it nor out of it, and is refused."""

    def parse(text: str) -> float:
        try:
            value = float(str(text))
        except ValueError:
            value = math.nan
        if not minimum <= value <= maximum:
            raise _Invalid(f"must be a number from {minimum:.9g} to {maximum:.9g}, not '{text}'.")
        return value

    return parse
