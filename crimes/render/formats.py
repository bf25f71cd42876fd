"""The formats of a report. A new one is a row here and a module of the same name with `render(report, …) -> bytes`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from crimes.model.report import Report
    from crimes.render.checkout import Checkout


class Format(NamedTuple):
    """One format. `needs` names what `render` takes besides the report, by keyword: checkout, detectors."""

    name: str
    needs: tuple[str, ...] = ()
    # The variable that names the file of a job's summary on a host; the module has `summary(report)` for it.
    job_summary: str = ""
    notices: bool = False  # the module has `notices(report)`: what to tell who does not read the output


HUMAN = "human"  # not a function of the report alone: it depends on the terminal
FORMATS = (
    Format("json"),
    Format("jsonl"),
    Format("sarif", needs=("checkout", "detectors"), notices=True),
    Format("github", needs=("checkout",), job_summary="GITHUB_STEP_SUMMARY"),
    Format("gitlab", needs=("checkout",)),
    Format("junit", needs=("checkout",)),
    Format("checkstyle", needs=("checkout",)),
    Format("rdjson", needs=("checkout",)),
    Format("markdown"),
)
BY_NAME = {format_.name: format_ for format_ in FORMATS}
NAMES = (HUMAN, *BY_NAME)


def view_of(name: str) -> Any:
    """The module of a format. Only this one is imported: some bring half a library."""
    return import_module(f"crimes.render.{name}")


def render(report: Report, name: str, checkout: Callable[[], Checkout]) -> bytes:
    """The report in a format for machines."""
    given: dict[str, Callable[[], object]] = {"checkout": checkout, "detectors": _detectors}
    return bytes(view_of(name).render(report, **{need: given[need]() for need in BY_NAME[name].needs}))


def _detectors() -> object:
    from crimes.detection.registry import catalogue

    return catalogue()
