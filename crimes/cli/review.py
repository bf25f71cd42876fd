"""`crimes review`: what of a review to post on a pull request."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.output import notice, show, terminal_style, write
from crimes.cli.root import chosen_root
from crimes.model.errors import CrimesError, EnvironmentFault, Unavailable, UsageError

if TYPE_CHECKING:
    from crimes.system.git_diff import Difference
    from crimes.workflows.review.policy import Threshold
    from crimes.workflows.review.reading import Input
    from crimes.workflows.review.record import Record


class ReviewFormat(StrEnum):
    """The formats of a review."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"
    MARKDOWN = "markdown"


def review(
    records: Annotated[
        str | None,
        typer.Argument(metavar="RECORDS.json|-", help="A reviewer's records; - reads them from stdin."),
    ] = None,
    base: Annotated[
        str,
        typer.Option(
            "--base", metavar="REF", help="Hold the records against the diff since this branch or commit."
        ),
    ] = "",
    own: Annotated[
        bool, typer.Option("--own", help="Add what crimes itself finds on that diff; needs --base.")
    ] = False,
    threshold: Annotated[
        str,
        typer.Option(
            "--threshold", metavar="T", help="The score of a comment: 30..100, strong, moderate, weak."
        ),
    ] = "moderate",
    cap: Annotated[
        int, typer.Option("--cap", min=0, metavar="N", help="At most so many comments that are not forced.")
    ] = 5,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Leave out records that are not valid, and list them.")
    ] = False,
    path: Annotated[
        Path | None,
        typer.Option("--path", metavar="DIR", help="The repository; without it, the one around here."),
    ] = None,
    format: Annotated[
        ReviewFormat,
        typer.Option("--format", "-f", help="How to print it; github is the body of a REST call, not sent."),
    ] = ReviewFormat.HUMAN,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a file.")
    ] = None,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
) -> None:
    """Score review records, check them against the diff, and say what to post where. Nothing is posted."""
    from crimes.workflows.review.assemble import assemble
    from crimes.workflows.review.reading import Input

    if records is None and not own:
        raise UsageError("give a file of records, - for stdin, or --own")
    if not base and (own or format is ReviewFormat.GITHUB):
        wants = "--own compares with a base" if own else "--format github may only name lines of the diff"
        raise UsageError(f"{wants}: add --base REF, such as --base origin/main")
    least = _threshold(threshold)
    root = chosen_root(path)
    given = Input((), ()) if records is None else _read(records, skip_invalid)
    diff = _difference(root, base) if base else None
    found, warnings = _own(root, diff) if own and diff else ([], [])
    result = assemble(given, diff, found, least, cap, warnings)
    if output == Path("-"):
        output = None
    if format is ReviewFormat.HUMAN:
        from crimes.render.review import lines

        show(lines(result), terminal_style(color, output), output)
    elif format is ReviewFormat.JSON:
        from crimes.model.codec import encode

        write(encode(result), output)
    elif format is ReviewFormat.MARKDOWN:
        from crimes.render.review_markdown import markdown

        write(markdown(result).encode(), output)
    else:
        from crimes.render.review_github import render
        from crimes.system.git import find

        write(render(result, find(root).prefix.decode("utf-8", "surrogateescape")), output)
    if output is not None:
        notice(f"{result.counts.inline:,} comments, written to {output}")


def _threshold(text: str) -> Threshold:
    from crimes.workflows.review.policy import threshold

    made = threshold(text)
    if not made.recognized:
        raise UsageError(f"--threshold {text}: expected 30 to 100, strong, moderate or weak")
    if text.strip().isdigit() and int(text) != made.score:
        notice(f"--threshold {text}: {made.score} is the nearest that can be")
    return made


def _read(source: str, skip_invalid: bool) -> Input:
    """The records. Without `--skip-invalid` one fault refuses all of them, after every fault is known."""
    from crimes.workflows.review.reading import LARGEST_INPUT, read

    name = "stdin" if source == "-" else source
    try:
        if source == "-":
            data = sys.stdin.buffer.read(LARGEST_INPUT + 1) if sys.stdin is not None else b""
        else:
            with open(source, "rb") as file:
                data = file.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error
    given = read(data, name)
    if given.refused and not skip_invalid:
        errors = [f"  - {error}" for refused in given.refused for error in refused.errors]
        hint = "Nothing was scored; --skip-invalid scores the others."
        raise UsageError("\n".join((f"{name} has records that are not valid:", *errors, hint)))
    return given


def _difference(root: Path, base: str) -> Difference:
    from crimes.system.git import find
    from crimes.system.git_diff import difference
    from crimes.system.git_objects import commit_of, merge_base

    try:
        tree = find(root)
        return difference(root, merge_base(tree, commit_of(tree, base)))
    except Unavailable as reason:
        raise UsageError(f"--base {base}: {reason}") from reason


def _own(root: Path, diff: Difference) -> tuple[list[Record], list[str]]:
    """crimes' own findings on the diff, and what it could not look at: the work tree is scanned, and the base."""
    from crimes.cli.progress import progress
    from crimes.cli.scanning import run
    from crimes.detection.registry import catalogue
    from crimes.engine.scan import scan
    from crimes.system.commit_checkout import laid_out
    from crimes.workflows.review.own import gaps, own_records

    now = run(root)
    try:
        with laid_out(root, diff.base) as folder, progress() as tick:
            before = scan(folder, now.context.config, progress=tick)
            dismissed, faults = _dismissed(folder)
    except Unavailable as reason:
        raise EnvironmentFault(f"the base {diff.base[:12]} cannot be read: {reason}") from reason
    found = own_records(now.report, before.report, diff, catalogue(), dismissed)
    return list(found), [*gaps(now.report, diff), *faults]


def _dismissed(base: Path) -> tuple[frozenset[str], list[str]]:
    """Findings whose last verdict was false alarm. Those of the base only: a change must not dismiss its own."""
    from crimes.tracking.feedback import FeedbackVerdict, read

    try:
        last = {feedback.fingerprint: feedback.verdict for feedback in read(base)}
    except CrimesError as error:
        told = str(error).partition("\n")[0]
        return frozenset(), [f"the verdicts kept at the base were not used: {told}"]
    return frozenset(mark for mark, verdict in last.items() if verdict is FeedbackVerdict.FP), []
