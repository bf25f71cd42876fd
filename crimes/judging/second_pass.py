"""The second pass: evidence a detector deferred, asked for when a finding is in doubt.

Finding nothing is neutral, and so is a provider that fails or takes too long; the report names it.
"""

from __future__ import annotations

from crimes.detection.context import Context, exceeded_reason
from crimes.detection.detector import Detector, detector_view
from crimes.model.errors import Unavailable
from crimes.model.finding import Finding, Signal
from crimes.model.report import Diagnostic
from crimes.system.allowance import Exceeded, allowance

MAX_PROVIDER_SECONDS = 10.0  # of processor time, for one finding
# What code that looks something up may end in. Running out of memory is no fault of a provider.
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
        name = f"{detector.id}: {provider.__name__}"
        if name in context.exceeded:  # another finding took too long: this one would, too
            continue
        try:
            with allowance(MAX_PROVIDER_SECONDS):
                signals.extend(provider(view, finding))
        except Exceeded:
            context.exceeded.append(name)
            diagnostics.append(_diagnostic(detector, provider.__name__, exceeded_reason("it"), finding))
        except Unavailable as reason:
            diagnostics.append(_diagnostic(detector, provider.__name__, str(reason), finding))
        except FAULTS as error:
            what = f"{type(error).__name__}: {error}"
            diagnostics.append(_diagnostic(detector, provider.__name__, what, finding))
    return tuple(signals), tuple(diagnostics)


def _diagnostic(detector: Detector, provider: str, what: str, finding: Finding) -> Diagnostic:
    message = f"{provider} failed on {finding.place.path}: {what}"
    return Diagnostic("evidence", detector.id, message)
