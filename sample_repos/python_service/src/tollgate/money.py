"""Amounts in minor units, with their currency."""

from __future__ import annotations

from dataclasses import dataclass

WITHOUT_MINOR_UNITS = frozenset({"JPY", "KRW"})


@dataclass(frozen=True, order=True)
class Money:
    minor: int
    currency: str

    def __add__(self, other: Money) -> Money:
        self._same_currency(other)
        return Money(self.minor + other.minor, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same_currency(other)
        return Money(self.minor - other.minor, self.currency)

    def share(self, per_mille: int) -> Money:
        """A part of the amount, rounded half up."""
        return Money((self.minor * per_mille + 500) // 1000, self.currency)

    def __str__(self) -> str:
        if self.currency in WITHOUT_MINOR_UNITS:
            return f"{self.minor} {self.currency}"
        return f"{self.minor / 100:.2f} {self.currency}"

    def _same_currency(self, other: Money) -> None:
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} and {other.currency} do not add up")


def zero(currency: str) -> Money:
    return Money(0, currency)
