"""Arguments and options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from crimes.cli.parsers import number, one_of, whole_number
from crimes.model.errors import UsageError
from crimes.model.severity import Severity
from crimes.render.formats import NAMES

NO_FILES: Mapping[str, Path] = {}
_SHOWN_OUTPUTS = ("json", "sarif", "html")  # in `--help`; there is an option for every format

# The headings of `--help`.
CHOOSE, SHOW, GATE, RUN = "What to report", "How to show it", "When to fail", "How to scan"


def _names(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def format_option(*names: str, help: str = "") -> Any:
    """`--format` with these names."""
    return typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        parser=one_of(names),
        help=help or f"The output format: {_names(names)}.",
        rich_help_panel=SHOW,
    )


def _count_option(name: str, *, help: str, minimum: int = 1, panel: str = SHOW) -> Any:
    return typer.Option(name, metavar="N", parser=whole_number(minimum), help=help, rich_help_panel=panel)


PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[PATH]...",
        help="Files and folders to report on, from the current directory or from the root; without any, the whole repository.",
        show_default=False,
    ),
]
RootOption = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="The root of the repository; without it, the one around the current directory.",
        rich_help_panel=RUN,
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read settings from this file instead of the repository's own.",
        rich_help_panel=RUN,
    ),
]
SelectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="TYPES",
        help="Only these detectors or families, separated by commas; naming one that is off turns it on for this run.",
        rich_help_panel=CHOOSE,
        show_default=False,
    ),
]
# A stored report holds what was scanned: nothing can be turned on in it.
ReportSelectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="TYPES",
        help="Only findings of these detectors or families, separated by commas.",
        rich_help_panel=CHOOSE,
        show_default=False,
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="TYPES",
        help="Leave out these detectors or families, separated by commas.",
        rich_help_panel=CHOOSE,
        show_default=False,
    ),
]
SeverityOption = Annotated[
    Severity | None,
    typer.Option(
        "--severity",
        metavar="LEVEL",
        help="Only findings of this severity or worse: low, medium or high.",
        rich_help_panel=CHOOSE,
    ),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="GLOB",
        help="Leave out findings in files that match this gitignore pattern; may be repeated.",
        rich_help_panel=CHOOSE,
        show_default=False,
    ),
]
SortOption = Annotated[
    str,
    typer.Option(
        "--sort",
        metavar="ORDER",
        parser=one_of(("risk", "severity", "file")),
        help="The order of findings: by agent_risk (risk), severity or file.",
        rich_help_panel=SHOW,
    ),
]
GroupByOption = Annotated[
    str | None,
    typer.Option(
        "--group-by",
        metavar="KEY",
        parser=one_of(("file", "type")),
        help="Group findings in the human format: file or type.",
        rich_help_panel=SHOW,
        show_default=False,
    ),
]
FindingArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The id of a finding, or the first characters of it.")
]
# What a change broke or forgot has an id, too.
AnyIdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="An id that `crimes scan`, `check` or `diff` printed, or its first characters."
    ),
]
FromOption = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="Look in this JSON report instead of the last scan."),
]
BaseOption = Annotated[
    str,
    typer.Option(
        "--base",
        metavar="REF",
        help="Compare the working tree with the merge base of HEAD and this branch or commit.",
        rich_help_panel=CHOOSE,
        show_default=False,
    ),
]
CacheOption = Annotated[
    bool,
    typer.Option(
        "--cache/--no-cache", help="Use and update the results of earlier scans.", rich_help_panel=RUN
    ),
]
ColorOption = Annotated[
    bool | None,
    typer.Option(
        "--color/--no-color",
        help="Force colours on or off.",
        show_default=False,
        rich_help_panel=SHOW,
    ),
]
CoverageOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--coverage",
        metavar="FILE",
        help="Use this coverage data instead of what is found in the usual places; may be repeated.",
        show_default=False,
        rich_help_panel=RUN,
    ),
]
BudgetOption = Annotated[
    int,
    typer.Option(
        "--budget",
        metavar="TOKENS",
        parser=whole_number(200),
        help="The most tokens to print; four bytes count as one.",
        rich_help_panel=SHOW,
    ),
]
BriefingFormatOption = Annotated[str, format_option("human", "json", "md")]
FormatOption = Annotated[str, format_option("human", "json")]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to a file.", rich_help_panel=SHOW),
]
ReportOutputOption = OutputOption
ReportFormatOption = Annotated[str, format_option(*NAMES)]
NewFormatOption = Annotated[
    str,
    format_option(
        *NAMES,
        help=f"The output format: {_names(NAMES)}. All but human and json hold new findings only.",
    ),
]
AllOption = Annotated[
    bool,
    typer.Option(
        "--all",
        help="Show all findings and their risk profiles; those of low confidence need --verbose.",
        rich_help_panel=SHOW,
    ),
]
TopOption = Annotated[int | None, _count_option("--top", help="Show only the N riskiest findings.")]
QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print findings, a gate that fails and that too little was seen to conclude anything; nothing else.",
        rich_help_panel=SHOW,
    ),
]
NoProgressOption = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Show no progress.", rich_help_panel=SHOW),
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="Also show low-confidence findings, detectors that are off, and everything skipped.",
        rich_help_panel=SHOW,
    ),
]
FailOnOption = Annotated[
    Severity | None,
    typer.Option(
        "--fail-on",
        metavar="LEVEL",
        help="Exit with 1 on a finding of this severity or worse: low, medium or high.",
        rich_help_panel=GATE,
    ),
]
FailOnRiskOption = Annotated[
    float | None,
    typer.Option(
        "--fail-on-risk",
        metavar="0..1",
        parser=number(0, 1),
        help="Exit with 1 on a finding with this agent_risk or more.",
        rich_help_panel=GATE,
    ),
]
FailOnNewOption = Annotated[
    bool,
    typer.Option(
        "--fail-on-new",
        help="Exit with 1 on a finding that the base or the baseline does not have.",
        rich_help_panel=GATE,
    ),
]
RequireTrustedOption = Annotated[
    bool,
    typer.Option(
        "--require-trusted",
        help="Exit with 2 where a gate would pass with a warning, because the evidence it needs is weak.",
        rich_help_panel=GATE,
    ),
]


def with_format_options(*outputs: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command `--<format>-output FILE` for each of `outputs`.

    The command takes those files in a parameter `also`, whose place they have in the help.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        names = {f"{name}_output": name for name in outputs}
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(command).parameters.values():
            if parameter.name == "also":
                parameters += [_output_parameter(name, format_) for name, format_ in names.items()]
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
            command(**arguments, also=also)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def _output_parameter(name: str, format_: str) -> inspect.Parameter:
    option = typer.Option(
        f"--{format_}-output",
        metavar="FILE",
        help=f"Also write {format_} to this file.",
        rich_help_panel=SHOW,
        hidden=format_ not in _SHOWN_OUTPUTS,
    )
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Annotated[Path | None, option]
    )
