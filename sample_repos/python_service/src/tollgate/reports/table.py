"""Rows of amounts as text."""

from __future__ import annotations

from tollgate.money import Money


def as_table(rows: dict[str, Money], header: bool, totals: bool, minor_units: bool) -> str:
    lines = ["country;amount"] if header else []
    for name, amount in sorted(rows.items()):
        lines.append(f"{name};{amount.minor}" if minor_units else f"{name};{amount.minor / 100:.2f}")
    if totals:
        lines.append(f"all;{sum(amount.minor for amount in rows.values())}")
    return "\n".join(lines)
