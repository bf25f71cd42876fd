"""Exact shares in hundredths: 76 is 0.76. Halves are rounded up, and floats take no part."""

from __future__ import annotations


def half_up(numerator: int, denominator: int) -> int:
    """The whole number nearest to a non-negative ratio; a half goes up."""
    return (2 * numerator + denominator) // (2 * denominator)


def two_decimals(hundredths: int) -> str:
    """Hundredths with two decimals: 76 is "0.76"."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def share(hundredths: int) -> float:
    """Hundredths as the float that prints with two decimals at most."""
    return hundredths / 100
