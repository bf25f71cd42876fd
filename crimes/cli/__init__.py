"""The command line: one file a command. Heavy imports stay inside command bodies: `--help` must be quick."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes import __version__
from crimes.cli import (
    baseline,
    cache,
    calibration,
    check,
    claims,
    context,
    detectors,
    diff,
    explain,
    feedback,
    hook,
    hotspots,
    ignore,
    init,
    mcp,
    plan,
    report,
    review,
    scan,
    trend,
    triage,
    trust,
    verdict,
)

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="What in this repository makes the next edit go wrong, worst first.",
    epilog="Exit codes: 0 done, 1 a gate failed, 2 usage or environment error or too little seen for a gate, 130 interrupted.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"crimes {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Options of `crimes` itself."""


app.command("scan")(scan.scan)
app.command("init")(init.init)
app.command("report")(report.report)
app.command("diff")(diff.diff)
app.command("verdict")(verdict.verdict)
app.command("ignore")(ignore.ignore)
app.command("triage")(triage.triage)
app.command("hotspots")(hotspots.hotspots)
app.command("trend")(trend.trend)
app.command("explain")(explain.explain)
app.command("context")(context.context)
app.command("plan")(plan.plan)
app.command("check")(check.check)
app.command("hook")(hook.hook)
app.command("mcp")(mcp.mcp)
app.command("claims")(claims.claims)
app.command("review")(review.review)
app.command("trust")(trust.trust)
app.command("feedback")(feedback.feedback)
app.command("calibration")(calibration.calibration)
app.command("detectors")(detectors.detectors)
app.add_typer(baseline.baseline, name="baseline")
app.add_typer(cache.cache, name="cache")
