"""How far a scan of a repository can be trusted, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from crimes import __version__
from crimes.model.codec import encode
from crimes.model.report import Tool
from crimes.model.trust import Share, Trust
from crimes.model.wording import count
from crimes.render.lines import Line, Span, bullet, heading, line
from crimes.render.trust_text import TRUST_STYLE, headline

SCHEMA_VERSION = "1.0"
_OFF = ("off by default", "off in the settings")
_MEANING = {
    "trusted": "Scores can be compared between scans, and gates apply",
    "directional": "Numbers show a direction, not a measurement",
    "abstained": "Nothing can be concluded from a scan",
}

# By dimension: what it measures, what of agent_risk rests on it, and the share in the summary that goes with it.
_DIMENSIONS = {
    "parse": ("files parsed", "", "parse_coverage"),
    "blast_radius": ("imports resolved", "for blast radius", "import_resolution"),
    "churn": ("history seen", "for churn", "history_depth"),
    "test_gap": ("tests found", "for test gap", "test_discovery"),
}


class TrustReport(Struct, frozen=True):
    """What `crimes trust --format json` prints: the same `trust` a scan of the tree would carry."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    trust: Trust  # how far a scan can be trusted


def render(repository: str, trust: Trust) -> bytes:
    """Trust as JSON."""
    return encode(TrustReport(SCHEMA_VERSION, Tool("crimes", __version__), repository, trust))


def lines(repository: str, trust: Trust) -> Iterator[Line]:
    """The class, the numbers behind it, what would help, and which detectors apply."""
    if trust.degraded_category == "no-files":
        yield line(f"No source files found in {repository}.")
        return
    word = Span(headline(trust), TRUST_STYLE.get(trust.classification, "bad"))
    yield line(Span(repository, "heading"), f": {_profile(trust)}, scan ", word)
    yield line(f"{_MEANING.get(trust.classification, 'This version of crimes does not know this class')}.")
    yield line(f"Scans of this repository are {trust.validity.replace('_', ' ')}.")
    yield from _numbers(trust)
    if trust.bottlenecks:
        yield from heading("Bottlenecks")
        for item in trust.bottlenecks:
            name = item.dimension.replace("_", " ")
            yield bullet(f"{name} {item.value:.2f}: {item.explanation}; {item.fix}")
    for what, reason in trust.withheld.items():
        yield line(f"No {'advice' if what == 'actions' else what} given: {reason}.")
    yield from heading("Detectors")
    good = [fit.id for fit in trust.applicability if not fit.reason]
    yield bullet(f"{count(len(good), 'detector')} applicable: {', '.join(good) or 'none'}")
    off = [fit.id for fit in trust.applicability if fit.reason in _OFF]
    if off:
        yield bullet(f"{count(len(off), 'detector')} off by default or in crimes.toml: {', '.join(off)}")
    for fit in trust.applicability:
        if fit.reason and fit.reason not in _OFF:
            yield bullet(f"{fit.id}: {fit.applicability.replace('_', ' ')}, {fit.reason}")


def _numbers(trust: Trust) -> Iterator[Line]:
    """The four dimensions, each with the part of agent_risk that is based on it, and what they add up to."""
    if not trust.dimensions:
        return
    yield from heading("What agent_risk is based on, from 0 to 1")
    rows = [(*_DIMENSIONS.get(name, (name, "", "")), value) for name, value in trust.dimensions.items()]
    width = max(len(title) for title, *_ in rows)
    for title, use, summary, value in rows:
        number = "not measured, counts as 0.80" if value is None else f"{value:.2f}"
        remarks = [use, _seen(trust, summary, value)]
        yield line(f"{title:<{width}}  {number}{''.join(f'  {text}' for text in remarks if text)}", indent=2)
    if trust.composite is not None:
        known = [0.8 if value is None else value for value in trust.dimensions.values()]
        weakest, mean = min(known), sum(known) / len(known)
        yield line(
            f"{'composite':<{width}}  {trust.composite:.2f}  0.6 x the weakest ({weakest:.2f}) + 0.4 x the mean ({mean:.2f})",
            indent=2,
        )


def _seen(trust: Trust, name: str, counted: Share | None) -> str:
    """The share that was seen, where less counts against agent_risk than is missing: tests that nobody wrote, say."""
    seen = getattr(trust.summary, name, None) if name else None
    return "" if seen is None or seen == counted else f"(seen: {seen:.2f})"


def _profile(trust: Trust) -> str:
    profile = trust.profile
    if not profile.primary_language:
        return "no source files found"
    second = f" and {profile.second_language} ({profile.ratio:.2f} of it)" if profile.second_language else ""
    return f"mostly {profile.primary_language}{second}"
