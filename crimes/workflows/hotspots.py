"""Files by edit risk, with what was found in them: the versioned types behind `crimes hotspots --format json`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from crimes import __version__
from crimes.model.edit_risk import RankedFile, UnrankedFile
from crimes.model.errors import EnvironmentFault
from crimes.model.kind import Kind
from crimes.model.report import Crime, HistoryCoverage, Report, Tool, code_only
from crimes.model.trust import Share
from crimes.workflows.riskiest_files import short_fact
from crimes.workflows.selection import is_below

SCHEMA_VERSION = "2.2"
RISK, PER_LINE = "risk", "per_line"


class HotFunction(Struct, frozen=True):
    """A function of a file, by how much of the complexity it holds and how often fixes changed it."""

    name: str  # qualified name
    start: int  # first line
    end: int  # last line
    complexity: int  # cognitive complexity, with functions inside it that have no name
    fixes: int  # fix commits of the last three years that changed it


class Hotspot(RankedFile, frozen=True):
    """A ranked file, and what was found in it."""

    findings: int = 0  # number of findings about code
    worst_id: str = ""  # id of the one with the highest agent_risk; empty without one
    worst_risk: Share | None = None  # its agent_risk; null without one, or where trust withholds scores
    places: tuple[str, ...] = ()  # facts about the file, in short
    functions: tuple[HotFunction, ...] = ()  # where in the file; only with `--functions`


class Hotspots(Struct, frozen=True):
    """Ranks and bands are those of the whole repository, also when a part of it was asked for."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    history: HistoryCoverage  # how much history was read
    # why history is missing or incomplete, so that ranks rest on size, complexity and what is visible; empty when it is neither
    history_limited: str
    order: str  # `risk`, or `per_line` for the probability of a fix per line that has to be read
    ranked: int  # files that were ranked
    fixed_180d: int  # of these, changed by a fix in the last 180 days
    asked: int  # ranked files in the files and folders that were asked for
    calm: bool  # nothing stands out: even for the riskiest of these a fix within 180 days is less likely than 1 in 10
    files: tuple[Hotspot, ...]  # in this order
    withheld: str = ""  # why no file is ranked; empty when files are
    unranked: tuple[UnrankedFile, ...] = ()  # where ranks are withheld: the same files, the largest first
    trust: str = ""  # class and main reason of a scan that is not trusted; empty for one that is


def rank_files(
    report: Report, *, top: int | None = None, below: Collection[str] = (), per_line: bool = False
) -> Hotspots:
    """The ranked files of a report, of those in these files and folders. EnvironmentFault when the scan did not finish."""
    if not report.trust.finished and report.diagnostics:
        raise EnvironmentFault(
            f"the scan did not finish, so no file is ranked: {report.diagnostics[0].message}"
        )

    def is_asked_for(file: str) -> bool:
        return not below or any(is_below(file, folder) for folder in below)

    ranking = report.edit_risk
    ranking = replace(
        ranking,
        files=tuple(file for file in ranking.files if is_asked_for(file.file)),
        unranked=tuple(file for file in ranking.unranked if is_asked_for(file.file)),
    )
    crimes: dict[str, list[Crime]] = {}
    for crime in report.findings:
        crimes.setdefault(crime.file, []).append(crime)
    files = sorted(ranking.files, key=lambda file: file.rank_per_line) if per_line else ranking.files
    is_empty = report.trust.degraded_category == "no-files"
    return Hotspots(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=report.repository,
        history=report.history,
        history_limited=ranking.history_limited,
        order=PER_LINE if per_line else RISK,
        ranked=ranking.ranked,
        fixed_180d=ranking.fixed_180d,
        asked=len(files) or len(ranking.unranked),
        calm=ranking.is_calm,
        files=tuple(_hotspot(file, crimes.get(file.file, ())) for file in files[:top]),
        withheld="no source files found" if is_empty else ranking.withheld,
        unranked=ranking.unranked[:top],
        trust="" if is_empty else report.trust.caveat,
    )


def with_functions(hotspots: Hotspots, functions: Mapping[str, tuple[HotFunction, ...]]) -> Hotspots:
    """The hotspots with the functions of each file, by path."""
    files = (replace(file, functions=functions.get(file.file, ())) for file in hotspots.files)
    return replace(hotspots, files=tuple(files))


def _hotspot(file: RankedFile, crimes: Sequence[Crime]) -> Hotspot:
    code = code_only(crimes)  # worst first, as the report has them
    fields = {name: getattr(file, name) for name in RankedFile.__struct_fields__}
    return Hotspot(
        **fields,
        findings=len(code),
        worst_id=code[0].id if code else "",
        worst_risk=code[0].scores.agent_risk if code else None,
        places=tuple(short_fact(crime) for crime in crimes if crime.kind is Kind.PLACE),
    )
