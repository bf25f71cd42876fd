"""One problem, one charge: of several findings of one family on one target the strongest stands, the rest support it.

A family is a category of the catalogue. A target is a symbol of a file; for a finding without a symbol it is the very lines.
Several findings of one type in one symbol are several problems, and all of them stay. Facts about a place are not merged: each
says something else, and a finding about code neither stands for one nor hides behind one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from crimes.model.kind import Kind
from crimes.model.report import Charge, Crime
from crimes.model.severity import Severity

_RANK = {Severity.HIGH: 0, Severity.MEDIUM: 1, Severity.LOW: 2}


def merge_charges(crimes: Iterable[Crime], subsumed: Mapping[str, str]) -> list[Crime]:
    """The crimes that stand, in their order. `subsumed` maps a type to the type that always goes before it."""
    crimes = list(crimes)
    targets: dict[tuple[object, ...], list[Crime]] = {}
    for crime in crimes:
        targets.setdefault(_target(crime), []).append(crime)
    settled = {key: _settle(group, subsumed) for key, group in targets.items()}
    return [
        msgspec.structs.replace(crime, also=tuple(map(_charge, rest))) if crime is strongest else crime
        for crime in crimes
        for strongest, rest in (settled[_target(crime)],)
        if crime.type == strongest.type
    ]


def _target(crime: Crime) -> tuple[object, ...]:
    where = crime.symbol or (crime.lines.start, crime.lines.end)
    family = crime.category if crime.kind is Kind.CODE else crime.type
    return crime.kind, family, crime.file, where


def _settle(group: list[Crime], subsumed: Mapping[str, str]) -> tuple[Crime, list[Crime]]:
    """The strongest, and those of other types that it stands for, strongest first."""
    present = {crime.type for crime in group}

    def strength(crime: Crime) -> tuple[bool, int, float, int, str, str]:
        return (
            subsumed.get(crime.type, "") in present,
            _RANK[crime.severity],
            -crime.scores.confidence,
            crime.lines.start,
            crime.type,
            crime.fingerprint,
        )

    strongest, *rest = sorted(group, key=strength)
    return strongest, [crime for crime in rest if crime.type != strongest.type]


def _charge(crime: Crime) -> Charge:
    return Charge(
        fingerprint=crime.fingerprint,
        type=crime.type,
        title=crime.title,
        severity=crime.severity,
        confidence=crime.scores.confidence,
        lines=crime.lines,
        message=crime.message,
    )
