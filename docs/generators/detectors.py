"""The pages of the detectors and their index: documentation, facts, options and measured precision."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from benchmarks.precision.labels import precision_of
from crimes.detection.detector import Detector
from crimes.model.kind import Kind
from crimes.model.sanitize import safe
from crimes.render.precision_text import precision_text
from docs.generators.markdown import banner, cell, code, table, toml
from docs.generators.precision import precision_by_detector

BANNER = banner("detectors/crimes_detectors/")


def detector_pages(detectors: Mapping[str, Detector]) -> dict[str, str]:
    """Every page by its path below docs/, the index included."""
    own = {f"detectors/{id_}.md": page(detector) for id_, detector in detectors.items()}
    return {"detectors/README.md": index(detectors), **own}


def index(detectors: Mapping[str, Detector]) -> str:
    """The list of detectors by category."""
    lines = [
        *(BANNER, "", "# Detectors", ""),
        "Each page says what the detector reports, why, what to do, what it accepts, and its options. The last column is measured:",
        "of a random sample of findings in public repositories, how many were worth reporting, and how many were",
        *("wrong. [How it is measured](../precision.md).", ""),
    ]
    for category in sorted({detector.category for detector in detectors.values()}):
        rows = [_index_row(detector) for detector in detectors.values() if detector.category == category]
        lines += [f"## {category.capitalize()}", ""]
        lines += table(("detector", "what it reports", "worth reporting"), rows)
    return "\n".join(lines)


def _index_row(detector: Detector) -> tuple[str, str, str]:
    what = detector.doc.strip().partition("\n")[0]
    off = "" if detector.default else " Off by default."
    precision = precision_of(detector.id)
    measured = "not measured"
    if precision is not None:
        measured = f"{precision.acting + precision.knowing} of {precision.read}, {precision.false} wrong"
    return f"[`{detector.id}`]({detector.id}.md)", cell(what + off), measured


def page(detector: Detector) -> str:
    """The page of a detector. Its examples are tests, and stay in its file."""
    return "\n".join(
        [
            *(BANNER, "", f"# {detector.title}", ""),
            *table(("", ""), _facts(detector)),
            # Invisible characters are escaped: a page must not contain them.
            *("\n".join(map(_visible, detector.doc.strip().split("\n"))), ""),
            *_options(detector),
            *_precision(detector),
        ]
    )


def _visible(row: str) -> str:
    """The row with invisible characters escaped; tabs stay, because code is indented with them."""
    return "\t".join(map(safe, row.split("\t")))


def _facts(detector: Detector) -> Iterator[tuple[str, str]]:
    yield "id", f"`{detector.id}`"
    yield (
        "kind",
        "finding about code"
        if detector.kind is Kind.CODE
        else "[caution about a file](../scoring.md#two-kinds)",
    )
    yield "worst severity", str(detector.max_severity)
    if detector.kind is Kind.CODE:
        yield "time to fix", str(detector.effort)
    yield "languages", "all" if "*" in detector.languages else ", ".join(detector.languages) or "none"
    yield "default", "on" if detector.default else "off"


def _options(detector: Detector) -> Iterator[str]:
    yield from ("## Options", "", f"In `crimes.toml`, under `[detectors.{detector.id}]`:", "")
    rows = [
        (f"`{field.name}`", code(toml(field.default)), cell(field.metadata["help"]))
        for field in dataclasses.fields(detector.options)
    ]
    enabled = ("`enabled`", f"`{toml(detector.default)}`", "Whether the detector runs.")
    yield from table(("option", "default", "meaning"), [enabled, *rows])


def _precision(detector: Detector) -> Iterator[str]:
    yield from ("## Measured precision", "")
    measured = precision_text(precision_by_detector((detector.id,)).get(detector.id), detector.kind)
    yield from (f"{measured} [How it is measured](../precision.md).", "")
