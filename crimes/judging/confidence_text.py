"""The arithmetic of a confidence, in one line and as a person would write it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crimes.judging.confidence import CAPS, CEILING, REPORTED_FROM, WEIGHTS, Cap, Choice, Confidence
from crimes.model.finding import Category
from crimes.model.hundredths import half_up, two_decimals

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def cap_text(cap: Cap) -> str:
    """A cap with its limit and reason, for the report."""
    limit, reason = CAPS[cap]
    return f"{cap}: at most {two_decimals(limit)}, {reason}"


def trace(confidence: Confidence) -> str:
    """One line: "0.92 = 0.80 x 1.15: syntax and graph agree"."""
    choice, value = confidence.choice, confidence.value
    capped = choice.rounded > value
    mean = two_decimals(confidence.base) if capped else _mean(choice)
    product = f"{mean} x {two_decimals(100 + choice.bonus)}"
    if capped:
        binding = ", ".join(cap for cap in confidence.caps if CAPS[cap][0] == value) or "ceiling"
        product = f"min({product}, {two_decimals(value)} {binding})"
    remarks = [_agreement(choice.agreeing)]
    if idle := _idle(confidence):
        remarks.append(f"no gain from {_join(idle)}")
    if choice.against:
        remarks.append(f"under {two_decimals(REPORTED_FROM)}: {_join(choice.against)}")
    return f"{two_decimals(value)} = {product}: {'; '.join(remarks)}"


def steps(confidence: Confidence) -> Iterator[str]:
    """The same with every number in sight, a line for each step."""
    choice = confidence.choice
    if not confidence.strengths:
        yield f"no evidence: {two_decimals(0)}"
        return
    yield from _mean_steps(confidence)
    if idle := _idle(confidence):
        yield f"{_join(idle)} left out: it would not raise the result"
    if choice.bonus:
        sources = f"{two_decimals(choice.agreement)} because {_NUMBERS[len(choice.agreeing)]} sources agree"
        pair = (
            f" + {two_decimals(choice.pairing)} because syntax and graph are among them"
            if choice.pairing
            else ""
        )
        yield f"agreement: 1 + {sources}{pair} = {two_decimals(100 + choice.bonus)}"
        yield f"{_mean(choice)} x {two_decimals(100 + choice.bonus)} = {two_decimals(choice.rounded)}"
    if confidence.value < choice.rounded:
        binding = [CAPS[cap][1] for cap in confidence.caps if CAPS[cap][0] == confidence.value]
        why = "; ".join(binding) or f"confidence is never above {two_decimals(CEILING)}"
        yield f"at most {two_decimals(confidence.value)}: {why}"


def _mean_steps(confidence: Confidence) -> Iterator[str]:
    choice, strengths = confidence.choice, confidence.strengths
    if len(confidence.used) == 1:
        (only,) = confidence.used
        against = ", which is under 0.50 and counts against it" if choice.against else ""
        yield f"{only} alone: {two_decimals(strengths[only])}{against}"
        return
    terms = " + ".join(
        f"{two_decimals(WEIGHTS[c])} x {two_decimals(strengths[c])} {c}" for c in confidence.used
    )
    yield f"weighted mean: ({terms}) / {two_decimals(choice.weight)} = {_mean(choice)}"


def _idle(confidence: Confidence) -> list[Category]:
    return [c for c in confidence.confirming if c not in confidence.choice.agreeing]


def _mean(choice: Choice) -> str:
    """The mean with the fewest decimals, two at least, that give the product shown beside it."""
    for places in range(2, 8):
        scale = 10 ** (places - 2)
        mean = half_up(choice.total * scale, choice.weight)
        if half_up(mean * (100 + choice.bonus), 100 * scale) == choice.rounded:
            break
    return f"{mean // (100 * scale)}.{mean % (100 * scale):0{places}d}"


def _agreement(agreeing: tuple[Category, ...]) -> str:
    if not agreeing:
        return "nothing confirms it"
    return f"{agreeing[0]} alone" if len(agreeing) == 1 else f"{_join(agreeing)} agree"


def _join(categories: Iterable[Category]) -> str:
    *first, last = categories
    return f"{', '.join(first)} and {last}" if first else str(last)
