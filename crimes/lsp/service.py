"""What the editor is answered, from the last scan. Nothing here knows the protocol."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crimes.model.errors import EnvironmentFault, UsageError
from crimes.model.wording import count
from crimes.system.roots import enclosing_root
from crimes.workflows.live_scan import LiveScan

if TYPE_CHECKING:
    from crimes.model.report import Crime
    from crimes.workflows.briefing.record import Briefing, Symbol

_SCAN_SECONDS = 3_600.0  # how long the background waits for a scan; nobody waits with it
_HOVER_TOKENS = 400
_PAGE_TOKENS = 1_500


class Place(NamedTuple):
    """A file of a repository, by its path from the root."""

    root: Path
    path: str


class Lens(NamedTuple):
    """A line of facts above a line of code; `id` names the finding that it opens, and is empty for the briefing."""

    line: int  # from 1
    text: str
    id: str = ""


class EditorService:
    """Answers about the files of any number of repositories, or of the one that is given."""

    def __init__(self, root: Path | None = None) -> None:
        self._root = root
        self._scans: dict[Path, LiveScan] = {}

    def place_of(self, file: Path) -> Place | None:
        """The repository that holds a file, and its path there; None for a file that no repository holds."""
        real = file.resolve()
        root = self._root or enclosing_root(real.parent)
        if root is None or not real.is_relative_to(root):
            return None
        return Place(root, real.relative_to(root).as_posix())

    def refresh(self, root: Path) -> str:
        """Scan the repository if it changed, however long that takes. Returns what went wrong, empty if nothing did."""
        try:
            return self._scan_of(root).refresh(_SCAN_SECONDS, _SCAN_SECONDS)
        except (EnvironmentFault, UsageError) as fault:
            return str(fault)

    def findings(self, place: Place) -> tuple[Crime, ...] | None:
        """The code findings of a file; None if the last scan did not read it as it is now."""
        if self._scan_of(place.root).has_changed(place.path):
            return None
        briefing = self._briefing(place)
        return () if briefing is None else code_findings(briefing)

    def lenses(self, place: Place) -> list[Lens]:
        """The facts about a file, and about each function with a finding."""
        briefing = self._briefing(place)
        if briefing is None or briefing.role is None:
            return []
        text = file_facts(briefing)
        whole = [Lens(1, text)] if text else []
        return whole + [
            Lens(crime.lines.start, function_facts(crime, briefing), id=crime.id)
            for crime in code_findings(briefing)
            if crime.symbol
        ]

    def hover(self, place: Place, word: str, line: int) -> str:
        """The briefing of the symbol with this name as markdown; the one defined at this line wins. Empty if there is none."""
        from crimes.render.brief import markdown
        from crimes.workflows.briefing.target import narrow

        briefing = self._briefing(place)
        symbol = symbol_at(briefing.symbols, word, line) if briefing else None
        if briefing is None or symbol is None:
            return ""
        return markdown([narrow(briefing, symbol.name, place.root)], _HOVER_TOKENS)

    def briefing_page(self, place: Place) -> str:
        """The whole briefing of a file as markdown. UsageError if the last scan did not read it."""
        from crimes.render.brief import markdown

        briefing = self._briefing(place)
        if briefing is None:
            raise UsageError(f"the last scan did not read {place.path}")
        return markdown([briefing], _PAGE_TOKENS)

    def finding_page(self, place: Place, id_: str) -> str:
        """The explanation of a finding as markdown. UsageError if the last scan has no such finding."""
        from crimes.detection.registry import catalogue
        from crimes.render.explain_markdown import finding_markdown
        from crimes.workflows.explanation import finding_details
        from crimes.workflows.find_finding import check_id, find_matches

        report, scanned_at = self._scan_of(place.root).report()
        details = [
            finding_details(place.root, report, crime, scanned_at, catalogue())
            for crime in find_matches(report, check_id(id_))
        ]
        return "\n".join(map(finding_markdown, details))

    def ignore_comment(self, place: Place, type_: str) -> str:
        """A comment in the language of the file that ignores findings of a type, `{}` in place of the reason.

        Empty for a file that was not read.
        """
        from crimes.languages import by_id

        briefing = self._briefing(place)
        language = by_id.get(briefing.language) if briefing else None
        return language.comment.format(f"crimes: ignore[{type_}] {{}}") if language else ""

    def _scan_of(self, root: Path) -> LiveScan:
        return self._scans.setdefault(root, LiveScan(root))

    def _briefing(self, place: Place) -> Briefing | None:
        return self._scan_of(place.root).briefings([place.path]).get(place.path)


def code_findings(briefing: Briefing) -> tuple[Crime, ...]:
    """The findings of a file that can be fixed there, in order of lines."""
    from crimes.model.report import code_only

    return tuple(sorted(code_only(briefing.findings), key=lambda crime: (crime.lines.start, crime.id)))


def file_facts(briefing: Briefing) -> str:
    """How far to trust the scan, unless it is trusted; then the odds of a fix, past fixes, importers and tests of a file in one line:
    "about 1 in 2 needs a fix · 12 fixes in the year before 2025-06-01".
    """
    from crimes.render.risk_text import band_text

    ranked, tests = briefing.edit_risk, briefing.tests
    facts = (
        briefing.trust,
        band_text(ranked.band) if ranked else "",
        _fixes_text(briefing.fixes_365d, "year", briefing),
        count(briefing.importers.direct, "importer") if briefing.importers.direct else "",
        _tests_text(len(tests.importing), len(tests.by_name)) if ranked else "",
    )
    return " · ".join(filter(None, facts))


def _fixes_text(fixes: int, period: str, briefing: Briefing) -> str:
    day = briefing.history.reference_time[:10]
    return f"{count(fixes, 'fix', 'fixes')} in the {period} before {day}" if fixes else ""


def _tests_text(importing: int, by_name: int) -> str:
    if importing:
        return count(importing, "test")
    return "a test by its name" if by_name else "no tests"


def function_facts(crime: Crime, briefing: Briefing) -> str:
    """A finding in one line above its function."""
    risk = crime.scores.agent_risk
    fixes = crime.evidence.get("fixes_3y")
    facts = (
        f"{crime.severity} {crime.type}",
        "" if risk is None else f"agent_risk {risk:.2f}",
        _fixes_text(fixes.value, "three years", briefing) if fixes and isinstance(fixes.value, int) else "",
    )
    return " · ".join(filter(None, facts))


def symbol_at(symbols: Iterable[Symbol], word: str, line: int) -> Symbol | None:
    """The symbol of this name whose definition is at the line, else the only one of this name."""
    named = [symbol for symbol in symbols if word and symbol.name.rpartition(".")[2] == word]
    here = [symbol for symbol in named if symbol.start <= line <= symbol.end]
    nearest = max(here, key=lambda symbol: symbol.start, default=None)
    return nearest or (named[0] if len(named) == 1 else None)
