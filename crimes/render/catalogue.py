"""The catalogue of detectors, for people and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec import Struct

from crimes.config.schema import Config
from crimes.detection.detector import Detector
from crimes.detection.registry import is_enabled
from crimes.model.codec import encode
from crimes.model.kind import Kind
from crimes.model.severity import Severity
from crimes.model.wording import count
from crimes.render.lines import Line, line, table
from crimes.render.text import PLACE_LABEL

SCHEMA_VERSION = "1.2"


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
    enabled_here: bool  # with the settings of this repository
    languages: tuple[str, ...]  # "*" is every language
    needs: tuple[str, ...]
    options: tuple[OptionOut, ...]


class Catalogue(Struct, frozen=True):
    schema_version: str
    detectors: tuple[DetectorOut, ...]


def render(detectors: Mapping[str, Detector], config: Config) -> bytes:
    """The catalogue as JSON."""
    rows = tuple(_out(detector, is_enabled(detector, config)) for detector in detectors.values())
    return encode(Catalogue(SCHEMA_VERSION, rows))


def lines(detectors: Mapping[str, Detector], config: Config) -> Iterator[Line]:
    """One line per detector, in columns."""
    rows = [
        (
            detector.id,
            detector.category,
            "finding" if detector.kind is Kind.CODE else PLACE_LABEL,
            detector.max_severity.value,
            _state(detector, config),
            "any" if "*" in detector.languages else ", ".join(detector.languages) or "config files",
            detector.title,
        )
        for detector in detectors.values()
    ]
    yield from table(("id", "family", "kind", "max severity", "state", "languages", "title"), rows)
    yield line()
    yield line(
        "A finding is something to fix. A caution says to be careful with a file: it is never counted as a finding and fails "
        "no gate."
    )
    yield line(f"{count(len(rows), 'detector')}. Run `crimes explain ID` for details on one.")


def _state(detector: Detector, config: Config) -> str:
    """On or off, and whether that is the repository's own choice."""
    enabled = is_enabled(detector, config)
    return f"{'on' if enabled else 'off'}{'' if enabled == detector.default else f' ({config.source})'}"


def _out(detector: Detector, enabled_here: bool) -> DetectorOut:
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
        enabled_here=enabled_here,
        languages=detector.languages,
        needs=tuple(analysis.name for analysis in detector.needs),
        options=options,
    )
