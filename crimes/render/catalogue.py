"""The catalogue of detectors, for people and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec import Struct

from crimes.detection.detector import Detector
from crimes.model.codec import encode
from crimes.model.kind import Kind
from crimes.model.severity import Severity
from crimes.model.wording import count
from crimes.render.lines import Line, line, table

SCHEMA_VERSION = "1.1"


class OptionOut(Struct, frozen=True):
    name: str
    default: bool | int | float | str | tuple[str, ...]
    help: str


class DetectorOut(Struct, frozen=True):
    id: str
    title: str
    category: str
    kind: Kind  # whether it finds code that can be fixed, or states a fact about a place
    severity: Severity  # the worst it reports
    effort: str
    enabled: bool  # without any configuration
    languages: tuple[str, ...]  # "*" is every language
    needs: tuple[str, ...]
    options: tuple[OptionOut, ...]


class Catalogue(Struct, frozen=True):
    schema_version: str
    detectors: tuple[DetectorOut, ...]


def render(detectors: Mapping[str, Detector]) -> bytes:
    """The catalogue as JSON."""
    return encode(Catalogue(SCHEMA_VERSION, tuple(_out(detector) for detector in detectors.values())))


def lines(detectors: Mapping[str, Detector]) -> Iterator[Line]:
    """One line per detector, in columns."""
    rows = [
        (
            detector.id,
            detector.category,
            detector.kind.value,
            detector.max_severity.value,
            "on" if detector.default else "off",
            "any" if "*" in detector.languages else ", ".join(detector.languages) or "none",
            detector.title,
        )
        for detector in detectors.values()
    ]
    yield from table(("id", "category", "kind", "max severity", "default", "languages", "title"), rows)
    yield line()
    yield line(f"{count(len(rows), 'detector')}. Run `crimes explain ID` for details on one.")


def _out(detector: Detector) -> DetectorOut:
    options = tuple(
        OptionOut(field.name, cast(Any, field.default), str(field.metadata.get("help", "")))
        for field in dataclasses.fields(detector.options)
    )
    return DetectorOut(
        id=detector.id,
        title=detector.title,
        category=detector.category,
        kind=detector.kind,
        severity=detector.max_severity,
        effort=detector.effort.value,
        enabled=detector.default,
        languages=detector.languages,
        needs=tuple(analysis.name for analysis in detector.needs),
        options=options,
    )
