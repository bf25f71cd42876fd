"""The second pass: evidence a detector deferred, asked for when a finding is in doubt.

Finding nothing is neutral, and so is a provider that fails; the report names the failure.
"""

from __future__ import annotations

from crimes.detection.context import Context
from crimes.detection.detector import Detector, detector_view
from crimes.model.errors import Unavailable
from crimes.model.finding import Finding, Signal
from crimes.model.report import Diagnostic

# What code that looks something up may end in. Running out of memory or time is no fault of a provider.
FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


def second_look(
    context: Context, detector: Detector, finding: Finding
) -> tuple[tuple[Signal, ...], tuple[Diagnostic, ...]]:
    """The signals of the providers, and which of them failed."""
    view = detector_view(context, detector)
    signals: list[Signal] = []
    diagnostics: list[Diagnostic] = []
    for provider in detector.deferred:
        try:
            signals.extend(provider(view, finding))
        except Unavailable as reason:
            diagnostics.append(_diagnostic(detector, provider.__name__, str(reason), finding))
        except FAULTS as error:
            what = f"{type(error).__name__}: {error}"
            diagnostics.append(_diagnostic(detector, provider.__name__, what, finding))
    return tuple(signals), tuple(diagnostics)


def _diagnostic(detector: Detector, provider: str, what: str, finding: Finding) -> Diagnostic:
    message = f"{provider} failed on {finding.place.path}: {what}"
    return Diagnostic("evidence", detector.id, message)
