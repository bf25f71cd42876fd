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
    Role.GENERATED: "generated: fix what generates it",
    Role.VENDORED: "copied from another project, so it is not judged here",
    Role.DOCS: "a document: most detectors look at code only",
    Role.EXAMPLE: "an example: most detectors look at production code only",
    Role.SCRIPT: "a script: most detectors look at production code only",
    Role.CONFIG: "configuration: most detectors look at production code only",
}


class Silence(Struct, frozen=True):
    """One file, and what a scan did not say about it."""

    path: str
    role: Role
    excused: tuple[tuple[str, Excused], ...]  # with the detector
    report: Report


def lines(silence: Silence, place: str = "") -> Iterator[Line]:
    """The file's role, then each thing that was not reported with its reason.

    `place` is the option that names the repository, where one is needed.
    """
    report = silence.report
    reported = [crime for crime in report.code_findings if crime.file == silence.path]
    facts = sum(crime.file == silence.path for crime in report.place_facts)
    about = f", {count(facts, 'fact')} about the file" if facts else ""
    yield line(
        Span(silence.path, "heading"), f": {silence.role}, {count(len(reported), 'finding')} reported{about}"
    )
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
                f"line {crime.lines.start}: {crime.type} is hidden: its confidence {confidence} is under 0.50"
            )
    for run in report.detectors:
        if run.status == "skipped":
            yield line(f"{run.id} did not run: {run.reason}")
    off = [run.id for run in report.detectors if run.status == "off"]
    if off:
        yield line(f"Off: {', '.join(off)}.")
    yield line(
        f"Code below a detector's limits is not listed. Run `crimes explain DETECTOR{place}` for what a detector accepts."
    )
