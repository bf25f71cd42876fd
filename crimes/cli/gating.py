"""The gates of `crimes scan`: what was asked for, and the exit code that follows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from crimes.errors import UsageError

if TYPE_CHECKING:
    from crimes.report import Report


class FailOn(StrEnum):
    """Severities a gate may ask for."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True)
class Gates:
    """What the command line asked for."""

    fail_on: FailOn | None
    fail_on_risk: float | None
    require_trusted: bool

    def check(self) -> None:
        """A demand without a gate to make it of is a mistake."""
        if self.require_trusted and self.fail_on is None and self.fail_on_risk is None:
            raise UsageError("--require-trusted is about a gate: give --fail-on or --fail-on-risk with it")

    def on(self, report: Report) -> Report:
        """The report with the gate that decides."""
        if self.fail_on is None and self.fail_on_risk is None:
            return report  # and the detectors need not be loaded
        import msgspec

        from crimes.gate import deciding, risk_gate, severity_gate
        from crimes.model import Severity
        from crimes.registry import catalogue

        advisory = [detector.id for detector in catalogue().values() if not detector.gates]
        strict = self.require_trusted
        gates = []
        if self.fail_on is not None:
            gates.append(severity_gate(report, Severity(self.fail_on), strict=strict, advisory=advisory))
        if self.fail_on_risk is not None:
            gates.append(risk_gate(report, self.fail_on_risk, strict=strict, advisory=advisory))
        return msgspec.structs.replace(report, gate=deciding(gates))


def exit_code(report: Report) -> int:
    """The gate's own; 2 for a scan that did not come to its end, gate or no gate."""
    if report.trust.summary is None:
        return 2
    return report.gate.exit if report.gate else 0
