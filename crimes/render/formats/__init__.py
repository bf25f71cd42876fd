"""The formats of a report. A new one is a row here and a module of the same name with `render(report, …) -> bytes`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from crimes.model.report import Report
    from crimes.render.checkout import Checkout
    from crimes.workflows.change_summary import ChangeSummary
    from crimes.workflows.repository_map import RepositoryMap


class Format(NamedTuple):
    """One format. `readers` and `about` are for docs/formats.md, which `make docs` writes."""

    name: str
    readers: str
    about: str
    needs: tuple[
        str, ...
    ] = ()  # what `render` takes besides the report, by keyword: checkout, detectors, change, repository_map
    # The variable that names the file of a job's summary on a host; the module has `summary(report, …)` for it.
    job_summary: str = ""
    notices: bool = False  # the module has `notices(report)`: what to tell who does not read the output


FORMATS = (
    Format(
        name="human",
        readers="people",
        about="a terminal gets colours, links and code; a pipe or file one line a finding, `path:line:column: severity type message [id]`, then remarks that begin with `# `",
    ),
    Format(
        name="json",
        readers="programs, `crimes explain --from`, `crimes report`",
        about="the whole report, [described](json.md) and with a schema",
    ),
    Format(
        name="jsonl",
        readers="`jq`, logs, databases",
        about="a line for the scan, then one for each finding; `record` is `scan`, `finding`, `hidden` or `ignored`",
    ),
    Format(
        name="sarif",
        readers="GitHub code scanning, editors",
        about="SARIF 2.1.0; GitHub's own line hash beside our id, `rank` is agent_risk; the 5,000 worst, as many as GitHub keeps",
        needs=("checkout", "detectors"),
        notices=True,
    ),
    Format(
        name="github",
        readers="a GitHub job",
        about="of a comparison: new findings as annotations, on changed lines only, at most ten of a level; adds a table to `$GITHUB_STEP_SUMMARY` where that is set",
        needs=("checkout", "change"),
        job_summary="GITHUB_STEP_SUMMARY",
    ),
    Format(
        name="gitlab",
        readers="GitLab's Code Quality widget",
        about="fingerprints without line numbers, never the same one twice; the log has how far to trust the scan",
        needs=("checkout",),
        notices=True,
    ),
    Format(
        name="junit",
        readers="test reports of any CI",
        about="each finding is a failed test; a scan that did not finish is an error",
        needs=("checkout",),
    ),
    Format(
        name="checkstyle",
        readers="Jenkins, reviewdog, editors",
        about="one element a file",
        needs=("checkout",),
    ),
    Format(
        name="rdjson",
        readers="reviewdog",
        about="with related places; the log has how far to trust the scan",
        needs=("checkout",),
        notices=True,
    ),
    Format(
        name="markdown",
        readers="pages and comments",
        about="nothing a repository says can change the shape of the page",
        needs=("change",),
    ),
    Format(
        name="html",
        readers="people, in a browser",
        about="[the map](map.md): one self-contained page that makes no requests, with all files, findings, imports and the trend",
        needs=("checkout", "detectors", "repository_map"),
    ),
)
NAMES = tuple(format_.name for format_ in FORMATS)
HUMAN = NAMES[0]  # not a function of the report alone: it depends on the terminal
BY_NAME = {format_.name: format_ for format_ in FORMATS if format_.name != HUMAN}  # those for machines


def view_of(name: str) -> Any:
    """The module of a format. Only this one is imported: some bring half a library."""
    return import_module(f"crimes.render.formats.{name}")


def no_change() -> ChangeSummary | None:
    """What a report is about that compares nothing."""
    return None


def no_map() -> RepositoryMap | None:
    """What is known of files besides a report that was saved or compared."""
    return None


def render(
    report: Report,
    name: str,
    checkout: Callable[[], Checkout],
    change: Callable[[], ChangeSummary | None] = no_change,
    repository_map: Callable[[], RepositoryMap | None] = no_map,
) -> bytes:
    """The report in a format other than the human one."""
    return bytes(view_of(name).render(report, **_needs(name, checkout, change, repository_map)))


def job_summary(
    report: Report,
    name: str,
    checkout: Callable[[], Checkout],
    change: Callable[[], ChangeSummary | None] = no_change,
) -> bytes:
    """The page that a format adds to the summary of a job."""
    return bytes(view_of(name).summary(report, **_needs(name, checkout, change, no_map)))


def _needs(
    name: str,
    checkout: Callable[[], Checkout],
    change: Callable[[], ChangeSummary | None],
    repository_map: Callable[[], RepositoryMap | None],
) -> dict[str, object]:
    sources: dict[str, Callable[[], object]] = {
        "checkout": checkout,
        "detectors": _detectors,
        "change": change,
        "repository_map": repository_map,
    }
    return {need: sources[need]() for need in BY_NAME[name].needs}


def _detectors() -> object:
    from crimes.detection.registry import catalogue

    return catalogue()
