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
    "trusted": "Numbers can be compared and gated",
    "directional": "Numbers show a direction, not a measurement",
    "abstained": "Nothing can be concluded from a scan",
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
    yield line(Span(repository, "heading"), "  ", word, Span(f"  {_profile(trust)}", "dim"))
    number = "" if trust.composite is None else f" (trust {trust.composite:.2f})"
    yield line(
        f"{_MEANING.get(trust.classification, 'This version of crimes does not know this class')}{number}."
    )
    yield line(f"Scans of this repository are {trust.validity.replace('_', ' ')}.")
    yield from _numbers("What agent_risk is based on", trust.dimensions)
    if trust.summary is not None:
        shares = {name: getattr(trust.summary, name) for name in trust.summary.__struct_fields__}
        yield from _numbers("What was seen", shares)
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


def _numbers(title: str, shares: dict[str, Share | None]) -> Iterator[Line]:
    yield from heading(title)
    width = max(len(name) for name in shares)
    for name, value in shares.items():
        shown = "not measured" if value is None else f"{value:.2f}"
        yield line(f"{name.replace('_', ' '):<{width}}  {shown}", indent=2)


def _profile(trust: Trust) -> str:
    profile = trust.profile
    if not profile.primary_language:
        return "no source files found"
    second = f" and {profile.second_language} ({profile.ratio:.2f} of it)" if profile.second_language else ""
    return f"mostly {profile.primary_language}{second}"
