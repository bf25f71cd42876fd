"""`crimes review`: what of a review to post on a pull request."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.delivery import to_file
from crimes.cli.options import ColorOption, OutputOption, RootOption, format_option
from crimes.cli.output import notice, session_for, show, terminal_style, write
from crimes.cli.parsers import whole_number
from crimes.model.errors import UsageError

if TYPE_CHECKING:
    from crimes.system.git_diff import Difference
    from crimes.workflows.review.policy import Threshold
    from crimes.workflows.review.reading import Input


def review(
    records: Annotated[
        str | None,
        typer.Argument(
            metavar="[RECORDS.json|-]",
            help="A reviewer's records; - reads them from stdin.",
            show_default=False,
        ),
    ] = None,
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="REF",
            help="Check the records against the diff since this branch or commit.",
            show_default=False,
        ),
    ] = "",
    own: Annotated[
        bool, typer.Option("--own", help="Add findings of crimes itself on that diff; needs --base.")
    ] = False,
    threshold: Annotated[
        str,
        typer.Option(
            "--threshold",
            metavar="SCORE",
            help="The lowest score of an inline comment: 30 to 100, strong, moderate or weak.",
        ),
    ] = "moderate",
    cap: Annotated[
        int,
        typer.Option(
            "--cap", metavar="N", parser=whole_number(0), help="The most inline comments that are not forced."
        ),
    ] = 5,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Leave out records that are not valid, and list them.")
    ] = False,
    prompt: Annotated[
        bool,
        typer.Option(
            "--prompt",
            help="Print what a verifying agent needs to write records; with --format json, the JSON Schema of records alone.",
        ),
    ] = False,
    format: Annotated[
        str,
        format_option(
            "human",
            "json",
            "github",
            "markdown",
            help="The output format: human, json, github (the body of a REST call; nothing is sent) or markdown.",
        ),
    ] = "human",
    output: OutputOption = None,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Print the review comments worth posting; posts nothing."""
    from crimes.workflows.review.assemble import assemble
    from crimes.workflows.review.own import OwnReview, review_own
    from crimes.workflows.review.reading import Input

    if prompt:
        _print_prompt(_parse_threshold(threshold), cap, format, to_file(output))
        return
    if records is None and not own:
        raise UsageError(
            "nothing to review: give a file of a reviewer's records, - for stdin, or --own for the findings of crimes"
        )
    if not base and (own or format == "github"):
        option = "--own" if own else "--format github"
        raise UsageError(f"{option} needs --base REF, such as --base origin/main")
    minimum = _parse_threshold(threshold)
    session = session_for(root)
    parsed = Input(records=(), refused=()) if records is None else _read_records(records, skip_invalid)
    diff = _difference(session.root, base) if base else None
    ours = review_own(session, diff) if own and diff else OwnReview()
    result = assemble(parsed, diff, ours, minimum, cap)
    output = to_file(output)
    if format == "human":
        from crimes.render.review import lines

        show(lines(result), terminal_style(color, output), output)
    elif format == "json":
        from crimes.model.codec import encode

        write(encode(result), output)
    elif format == "markdown":
        from crimes.render.review_markdown import markdown

        write(markdown(result).encode(), output)
    else:
        from crimes.render.review_github import render
        from crimes.system.git import find

        write(render(result, find(session.root).prefix.decode("utf-8", "surrogateescape")), output)
    if output is not None:
        notice(f"{result.counts.inline:,} comments, written to {output}")


def _print_prompt(threshold: Threshold, cap: int, format: str, output: Path | None) -> None:
    """The instructions for a verifying agent, or the schema of what it has to write."""
    if format == "json":
        from crimes.model.codec import encode
        from crimes.workflows.review.record_schema import DRAFT, record_schema

        write(encode({"$schema": DRAFT, **record_schema()}), output)
        return
    from crimes.render.review_prompt import prompt

    write(prompt(threshold, cap).encode(), output)


def _parse_threshold(text: str) -> Threshold:
    from crimes.workflows.review.policy import parse_threshold

    parsed = parse_threshold(text)
    if not parsed.recognized:
        raise UsageError(f"--threshold: '{text}' is not valid; use 30 to 100, strong, moderate or weak")
    if text.strip().isdigit() and int(text) != parsed.score:
        notice(f"--threshold {text} is out of range; {parsed.score} is used")
    return parsed


def _read_records(source: str, skip_invalid: bool) -> Input:
    """The records. Without `--skip-invalid` one fault refuses all of them, after every fault is known."""
    from crimes.workflows.review.reading import MAX_INPUT_BYTES, read_records

    name = "stdin" if source == "-" else source
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1) if sys.stdin is not None else b""
        else:
            with open(source, "rb") as file:
                data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error
    records = read_records(data, name)
    if records.refused and not skip_invalid:
        errors = [f"  - {error}" for refused in records.refused for error in refused.errors]
        hint = "Nothing was scored. Use --skip-invalid to score the valid records."
        raise UsageError("\n".join((f"{name} has records that are not valid:", *errors, hint)))
    return records


def _difference(root: Path, base: str) -> Difference:
    from crimes.system.git import find, unavailable_as
    from crimes.system.git_diff import difference
    from crimes.system.git_objects import commit_of, merge_base

    with unavailable_as(UsageError, f"--base {base}"):
        tree = find(root)
        return difference(root, merge_base(tree, commit_of(tree, base)))
