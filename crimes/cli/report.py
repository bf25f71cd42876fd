"""`crimes report`: a report that was kept as JSON, in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.finding import read_report
from crimes.cli.formats import DisplayOptions, ReportFormat, also, asked_besides, deliver
from crimes.cli.root import chosen_root


def report(
    file: Annotated[Path, typer.Argument(help="A report of `crimes scan --format json`; - is stdin.")],
    format: Annotated[
        ReportFormat, typer.Option("--format", "-f", help="How to print the report.")
    ] = ReportFormat.HUMAN,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file.")
    ] = None,
    json_output: Annotated[Path | None, also("json")] = None,
    jsonl_output: Annotated[Path | None, also("jsonl")] = None,
    sarif_output: Annotated[Path | None, also("sarif")] = None,
    github_output: Annotated[Path | None, also("github")] = None,
    gitlab_output: Annotated[Path | None, also("gitlab")] = None,
    junit_output: Annotated[Path | None, also("junit")] = None,
    checkstyle_output: Annotated[Path | None, also("checkstyle")] = None,
    rdjson_output: Annotated[Path | None, also("rdjson")] = None,
    markdown_output: Annotated[Path | None, also("markdown")] = None,
    path: Annotated[
        Path | None,
        typer.Option(
            "--path", metavar="DIR", help="The repository it is about; without it, the one around here."
        ),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Show every finding, and every risk profile.")] = False,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Show only the N worst findings.")
    ] = None,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Findings only: no summary, no notices.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show low-confidence findings and all that was skipped.")
    ] = False,
) -> None:
    """Convert a kept report into another format; nothing is scanned, and no gate is asked."""
    import msgspec

    from crimes.cli.checkout import checkout_behind
    from crimes.engine.report_builder import report_order

    files = asked_besides(
        json=json_output,
        jsonl=jsonl_output,
        sarif=sarif_output,
        github=github_output,
        gitlab=gitlab_output,
        junit=junit_output,
        checkstyle=checkstyle_output,
        rdjson=rdjson_output,
        markdown=markdown_output,
    )
    kept = read_report(file)
    # What hosts limit is cut off at the end, and somebody may have put several reports together.
    kept = msgspec.structs.replace(kept, findings=tuple(sorted(kept.findings, key=report_order)))
    root = chosen_root(path)
    shown = DisplayOptions(top, all, verbose, quiet, color, f" --from {file}", root)
    deliver(kept, format, output, files, shown, lambda: checkout_behind(kept, root))
