"""How far a scan of a repository can be trusted, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from crimes import __version__
from crimes.model.codec import encode
from crimes.model.report import Tool
from crimes.model.trust import Trust
from crimes.model.wording import capitalized, count
from crimes.render.lines import Line, Span, bullet, heading, line
from crimes.render.trust_text import TRUST_STYLE, meaning, withheld_lines

SCHEMA_VERSION = "1.1"
_OFF = ("off by default", "off in the settings")
# By dimension, what of agent_risk rests on it; old names of dimensions are not shown.
_DIMENSIONS = {
    "parse_coverage": "",
    "import_resolution": "for blast radius",
    "history_depth": "for churn",
    "test_discovery": "for test gap",
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
    word = Span(trust.label, TRUST_STYLE.get(trust.classification, "bad"))
    yield line(Span(repository, "heading"), f": {_profile(trust)}, scan ", word)
    text = meaning(trust) or "this version of crimes does not know this class"
    yield line(f"{capitalized(text)}.")
    yield line(f"Scans of this repository are {trust.validity.replace('_', ' ')}.")
    yield from _numbers(trust)
    if trust.bottlenecks:
        yield from heading("Bottlenecks")
        for item in trust.bottlenecks:
            yield bullet(f"{item.dimension} {item.value:.2f}: {item.explanation}; {item.fix}")
    yield from map(line, withheld_lines(trust))
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
    """The four dimensions, each with what it rests on, and what they add up to."""
    shown = {name: value for name, value in trust.dimensions.items() if name in _DIMENSIONS}
    if not shown:
        return
    yield from heading("What was seen, from 0 to 1")
    width = max(map(len, shown))
    for name, value in shown.items():
        reasons = "; ".join(signal.reason for signal in trust.signals.get(name, ()))
        use = f" ({_DIMENSIONS[name]})" if _DIMENSIONS[name] else ""
        yield line(f"{name:<{width}}  {value or 0:.2f}  {reasons}{use}", indent=2, hang=width + 8)
    if trust.mean is not None:
        yield line(f"{'mean':<{width}}  {trust.mean:.2f}", indent=2)
    if trust.composite is not None:
        reasons = "; ".join(trust.composite_reasons)
        yield line(
            f"{'composite':<{width}}  {trust.composite:.2f}  {trust.level}: {reasons}",
            indent=2,
            hang=width + 8,
        )


def _profile(trust: Trust) -> str:
    profile = trust.profile
    if not profile.primary_language:
        return "no source files found"
    second = (
        f", with {profile.ratio:.2f} times as much {profile.second_language}"
        if profile.second_language
        else ""
    )
    return f"mostly {profile.primary_language}{second}"
