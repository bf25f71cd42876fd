"""Files ranked by how much risk an edit to them carries: how often they change, how hard they are, what was found in them.

    score = commits in a year x cognitive complexity x (1 + agent_risk of what was found, of both kinds, summed)

Floors are absolute: in a calm repository nothing is a hotspot, and the least calm of calm files is not made one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from crimes import __version__
from crimes.analyses.history.history import HISTORY
from crimes.engine.scan import Scan
from crimes.model.errors import EnvironmentFault
from crimes.model.facts import Role
from crimes.model.kind import Kind
from crimes.model.report import Crime, HistoryCoverage, Tool, code_only
from crimes.model.repository import File
from crimes.model.trust import Share
from crimes.system.git import unavailable_as
from crimes.workflows.riskiest_files import short_fact
from crimes.workflows.selection import is_below

SCHEMA_VERSION = "1.2"
MIN_COMMITS_PER_YEAR = 3  # in a year
MIN_COMPLEXITY = 15
MIN_LINES = 50  # for the ranking per line: a short file is dense by nature
_RANKED = frozenset({Role.SOURCE, Role.SCRIPT})


class Hotspot(Struct, frozen=True):
    """A file over the floors, with all that its place rests on."""

    file: str  # path from the root
    score: int  # commits in a year x complexity x (1 + agent_risk of its findings, of both kinds)
    per_line: float  # the score per line of code
    commits_365d: int  # commits in 365 days
    commits_90d: int  # commits in 90 days
    fixes_365d: int  # fixes in 365 days
    complexity: int  # cognitive complexity of the file
    hardest: str  # its most complex function; empty without one
    lines: int  # lines of code
    findings: int  # number of findings about code
    worst_risk: Share | None  # highest agent_risk of them; null without one
    places: tuple[str, ...] = ()  # facts about the file, in short
    hardest_complexity: int = 0  # cognitive complexity of its most complex function, without nested functions


class Floors(Struct, frozen=True):
    """What a file has to reach to be ranked."""

    commits_365d: int = MIN_COMMITS_PER_YEAR  # fewest commits in 365 days
    complexity: int = MIN_COMPLEXITY  # lowest cognitive complexity
    lines_per_line: int = MIN_LINES  # fewest lines of code for the ranking per line


class Hotspots(Struct, frozen=True):
    """The type behind `crimes hotspots --format json`."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    history: HistoryCoverage  # how much history was read
    floors: Floors  # what a file has to reach to be ranked
    files: int  # files that were looked at
    ranked: int  # files that reach the floors
    riskiest: tuple[Hotspot, ...]  # by score, highest first
    riskiest_per_line: tuple[Hotspot, ...]  # by score per line, highest first


def rank_files(scan: Scan, *, top: int | None = None, below: Collection[str] = ()) -> Hotspots:
    """The files that stand out, of those in these files and folders. EnvironmentFault without history: nothing could be ranked."""
    with unavailable_as(EnvironmentFault, "hotspots need git history"):
        scan.context[HISTORY]
    report = scan.report
    crimes: dict[str, list[Crime]] = {}
    for crime in report.findings:
        crimes.setdefault(crime.file, []).append(crime)
    candidates = [
        file
        for path, file in scan.context.repo.files.items()
        if file.role in _RANKED and (not below or any(is_below(path, folder) for folder in below))
    ]
    hotspots = list(filter(None, (_hotspot(scan, file, crimes.get(file.path, ())) for file in candidates)))
    dense = [hotspot for hotspot in hotspots if hotspot.lines >= MIN_LINES]
    return Hotspots(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=report.repository,
        history=report.history,
        floors=Floors(),
        files=len(candidates),
        ranked=len(hotspots),
        riskiest=tuple(sorted(hotspots, key=lambda hotspot: (-hotspot.score, hotspot.file))[:top]),
        riskiest_per_line=tuple(
            sorted(dense, key=lambda hotspot: (-hotspot.per_line, -hotspot.score, hotspot.file))[:top]
        ),
    )


def _hotspot(scan: Scan, file: File, crimes: Sequence[Crime]) -> Hotspot | None:
    """The file with its numbers, None when it is below a floor."""
    past = scan.context[HISTORY].files.get(file.path)
    functions = file.facts.functions
    complexity = sum(function.cognitive_own for function in functions)
    lines = file.facts.logic_lines
    if past is None or past.commits_365d < MIN_COMMITS_PER_YEAR or complexity < MIN_COMPLEXITY or not lines:
        return None
    score = past.commits_365d * complexity * (100 + sum(map(_risk, crimes))) // 100
    risks = [_risk(crime) for crime in code_only(crimes)]
    hardest = max(functions, key=lambda function: (function.cognitive_own, -function.start))
    return Hotspot(
        file=file.path,
        score=score,
        per_line=round(score / lines, 2),
        commits_365d=past.commits_365d,
        commits_90d=past.commits_90d,
        fixes_365d=len(past.fixes),
        complexity=complexity,
        hardest=hardest.qualname,
        lines=lines,
        findings=len(risks),
        worst_risk=max(risks) / 100 if risks else None,
        places=tuple(short_fact(crime) for crime in crimes if crime.kind is Kind.PLACE),
        hardest_complexity=hardest.cognitive_own,
    )


def _risk(crime: Crime) -> int:
    """agent_risk in hundredths; 0 where it is withheld."""
    return round((crime.scores.agent_risk or 0) * 100)
