"""`crimes explain`: all about one finding."""

from __future__ import annotations

from crimes.cli.options import ColorOption, FindingArgument, FromOption, PathOption
from crimes.cli.output import session_for, show, terminal_style


def explain(
    id: FindingArgument,
    path: PathOption = None,
    from_: FromOption = None,
    color: ColorOption = None,
) -> None:
    """Explain one finding: evidence, code, arithmetic, what to do."""
    from crimes.analyses.history.git_log import count_commits
    from crimes.detection.registry import catalogue
    from crimes.render.explain import lines
    from crimes.render.lines import no_link
    from crimes.render.links import links_into
    from crimes.workflows.find_finding import check_id, find_matches, load_report
    from crimes.workflows.source_lines import read_source

    prefix = check_id(id)
    session = session_for(path)
    root = session.root
    report, scanned_at = load_report(session, from_)
    withheld = report.trust.withheld.get("actions", "")
    style = terminal_style(color)
    link = links_into(root) if style.links else no_link
    for crime in find_matches(report, prefix):
        source = read_source(root, crime.file, scanned_at)
        ever = 0 if report.history.limited else count_commits(root, crime.file)
        page = lines(crime, catalogue().get(crime.type), source, report.history, withheld, link, ever)
        show(page, style)
