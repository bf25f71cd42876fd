"""Arguments and options that several commands share."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from crimes.model.errors import UsageError
from crimes.model.severity import Severity
from crimes.render.formats import NAMES


class Format(StrEnum):
    """The formats of most commands."""

    HUMAN = "human"
    JSON = "json"


class BriefingFormat(StrEnum):
    """The formats of briefings and checks."""

    HUMAN = "human"
    JSON = "json"
    MD = "md"


# Every format of a report: typer needs an enumeration, and this one comes from the table of formats.
ReportFormat = StrEnum("ReportFormat", {name.upper(): name for name in NAMES})  # type: ignore[misc]


NO_FILES: Mapping[str, Path] = {}


def refuse_nan(value: float | None) -> float | None:
    """Refuses nan, which is neither inside a range nor outside of it."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("nan is no number.")
    return value


RepositoryArgument = Annotated[
    Path | None,
    typer.Argument(help="The repository; without it, the one around here.", show_default=False),
]
PathOption = Annotated[
    Path | None,
    typer.Option("--path", metavar="DIR", help="The repository; without it, the one around here."),
]
FindingArgument = Annotated[
    str, typer.Argument(help="A finding's id, the beginning of it, or its fingerprint.")
]
FromOption = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="Look in this JSON report, not in the last scan."),
]
RangeArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="BASE...HEAD",
        help="Two commits, from where they part; .. compares them directly. Without it, the work tree with HEAD.",
        show_default=False,
    ),
]
BaseOption = Annotated[
    str,
    typer.Option(
        "--base", metavar="REF", help="Compare the work tree with where it left this branch or commit."
    ),
]
CacheOption = Annotated[
    bool,
    typer.Option("--cache/--no-cache", help="Use what earlier scans found out, and keep what this one does."),
]
ColorOption = Annotated[
    bool | None,
    typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
]
CoverageOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--coverage",
        metavar="FILE",
        help="Coverage data to use instead of those at usual places; may be repeated.",
        show_default=False,
    ),
]
BudgetOption = Annotated[
    int, typer.Option("--budget", min=200, help="The most tokens to print; four bytes count as one.")
]
BriefingFormatOption = Annotated[BriefingFormat, typer.Option("--format", "-f", help="How to print it.")]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to print it.")]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a file.")
]
ReportOutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file.")
]
ReportFormatOption = Annotated[str, typer.Option("--format", "-f", help="How to print the report.")]
NewFormatOption = Annotated[
    str,
    typer.Option("--format", "-f", help="How to print it; other than human and json hold what is new."),
]
AllOption = Annotated[bool, typer.Option("--all", help="Show every finding, and every risk profile.")]
TopOption = Annotated[
    int | None, typer.Option("--top", min=1, metavar="N", help="Show only the N worst findings.")
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Findings only: no summary, no progress, no notices.")
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show low-confidence findings and all that was skipped.")
]
FailOnOption = Annotated[
    Severity | None,
    typer.Option("--fail-on", help="Exit with 1 on a finding of this severity or worse."),
]
FailOnRiskOption = Annotated[
    float | None,
    typer.Option(
        "--fail-on-risk",
        min=0,
        max=1,
        metavar="0..1",
        help="Exit with 1 on a finding of this agent_risk.",
        callback=refuse_nan,
    ),
]
FailOnNewOption = Annotated[
    bool, typer.Option("--fail-on-new", help="Exit with 1 on a finding that was not there before.")
]
RequireTrustedOption = Annotated[
    bool, typer.Option("--require-trusted", help="Exit with 2 when too little was seen for the gate to pass.")
]


def with_format_options(*outputs: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command `--format` with every format there is, and `--<format>-output FILE` for each of `outputs`.

    The command takes those files in a parameter `also`, whose place they have in the help.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        names = {f"{name}_output": name for name in outputs}
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(command).parameters.values():
            if parameter.name == "also":
                parameters += [_output_parameter(name, format_) for name, format_ in names.items()]
            elif parameter.name == "format":
                info = hints["format"].__metadata__[0]
                parameters.append(
                    parameter.replace(annotation=Annotated[ReportFormat, info], default=ReportFormat("human"))
                )
            else:
                parameters.append(parameter.replace(annotation=hints[parameter.name]))

        def run(**arguments: Any) -> None:
            files = {format_: arguments.pop(name) for name, format_ in names.items()}
            also = {format_: file for format_, file in files.items() if file is not None}
            for format_, file in also.items():
                if file == Path("-"):  # two reports on stdout would be none
                    raise UsageError(
                        f"--{format_}-output needs a file; `--format {format_}` prints to stdout"
                    )
            command(**{**arguments, "format": str(arguments["format"])}, also=also)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def _output_parameter(name: str, format_: str) -> inspect.Parameter:
    option = typer.Option(
        f"--{format_}-output", metavar="FILE", help=f"Write it as {format_} too, to this file."
    )
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Annotated[Path | None, option]
    )
