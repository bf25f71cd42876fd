"""Why nothing more is reported about a file: its role, what detectors excused, what is hidden, folded or turned off."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from crimes.model.facts import Role
from crimes.model.finding import Excused
from crimes.model.report import Report
from crimes.model.wording import count
from crimes.render.lines import Line, Span, line

_WHY_ROLE = {
    Role.TEST: "a test: most detectors look at production code only",
    Role.GENERATED: "generated: what is wrong with it is wrong with what makes it",
    Role.VENDORED: "copied from another project, and not judged here",
    Role.DOCS: "a document: detectors of code do not look at it",
    Role.EXAMPLE: "an example: most detectors look at production code only",
    Role.SCRIPT: "a script: most detectors look at production code only",
    Role.CONFIG: "settings: most detectors look at production code only",
}


class Silence(Struct, frozen=True):
    """One file, and what a scan did not say about it."""

    path: str
    role: Role
    excused: tuple[tuple[str, Excused], ...]  # with the detector
    report: Report


def lines(silence: Silence) -> Iterator[Line]:
    report = silence.report
    reported = [crime for crime in report.findings if crime.file == silence.path]
    yield line(Span(silence.path, "heading"), f": {silence.role}, {count(len(reported), 'finding')} reported")
    if silence.role in _WHY_ROLE:
        yield line(f"It is {_WHY_ROLE[silence.role]}.")
    excused = dict.fromkeys(sorted(silence.excused, key=lambda item: (item[1].place.start, item[0])))
    for detector, excuse in excused:
        symbol = f" {excuse.place.symbol}" if excuse.place.symbol else ""
        yield line(f"line {excuse.place.start}{symbol}: {detector} stays silent: {excuse.reason}")
    for crime in reported:
        for charge in crime.also:
            yield line(
                f"line {charge.lines.start}: {charge.type} is part of the {crime.type} at line {crime.lines.start}"
            )
    for crime in report.hidden:
        if crime.file == silence.path:
            confidence = f"{crime.scores.confidence:.2f}"
            yield line(
                f"line {crime.lines.start}: {crime.type} is hidden: its confidence is {confidence}, under 0.50"
            )
    for run in report.detectors:
        if run.status == "skipped":
            yield line(f"{run.id} did not run: {run.reason}")
    off = [run.id for run in report.detectors if run.status == "off"]
    if off:
        yield line(f"Turned off: {', '.join(off)}.")
    yield line(
        "What a detector accepts without a word is in `crimes explain DETECTOR`; limits that were not reached are not listed."
    )
