"""Gates on a scan or a change, and the exit code that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crimes.model.errors import UsageError
from crimes.model.severity import Severity

if TYPE_CHECKING:
    from crimes.model.report import Crime, Gate, Report
    from crimes.model.trust import Trust
    from crimes.workflows.comparison import Comparison


@dataclass(frozen=True)
class Before:
    """What was there before: new findings since, and the trust in the scan of then. A baseline states no trust."""

    new: tuple[Crime, ...]
    trust: Trust | None


@dataclass(frozen=True)
class Gates:
    """What a finding must not be, and whether the gate may pass when little was seen."""

    fail_on: Severity | None = None
    fail_on_risk: float | None = None
    fail_on_new: bool = False
    require_trusted: bool = False

    def check(self) -> None:
        """Refuses `--require-trusted` without a gate."""
        if self.require_trusted and not self._has_gate():
            raise UsageError("--require-trusted needs a gate; add --fail-on, --fail-on-risk or --fail-on-new")

    def apply_to(self, report: Report, before: Before | None = None) -> Report:
        """The report with the gate that decides. `before` is needed to tell what is new."""
        if not self._has_gate():
            return report  # and the detectors need not be loaded
        import msgspec

        return msgspec.structs.replace(report, gate=self._deciding_gate(report, before))

    def apply_to_new(self, comparison: Comparison, now: Report) -> Comparison:
        """A comparison with the gate that decides: all of them look at what is new. Broken references fail without any."""
        import msgspec

        if comparison.broken:
            from crimes.judging.gates import broken_gate

            broken = broken_gate(len(comparison.broken), [comparison.trust, comparison.base_trust])
            return msgspec.structs.replace(comparison, gate=broken)
        if not self._has_gate():
            return comparison
        from crimes.judging.gates import not_evaluated
        from crimes.judging.trust.arithmetic import Class

        before = Before(comparison.new, comparison.base_trust)
        only_new = msgspec.structs.replace(now, findings=comparison.new)
        gate = self._deciding_gate(only_new, before)
        if gate and gate.exit != 1 and not comparison.base.commit:
            from crimes.workflows.change_verdict import NO_BASE

            gate = not_evaluated(gate, NO_BASE)
        elif gate and comparison.base_trust.is_collapsed:
            gate = not_evaluated(gate, str(Class.ABSTAINED))
        return msgspec.structs.replace(comparison, gate=gate)

    def _has_gate(self) -> bool:
        return self.fail_on is not None or self.fail_on_risk is not None or self.fail_on_new

    def _deciding_gate(self, report: Report, before: Before | None) -> Gate | None:
        from crimes.judging.gates import deciding_gate, new_gate, risk_gate, severity_gate

        strict = self.require_trusted
        gates = []
        if self.fail_on is not None:
            gates.append(severity_gate(report, self.fail_on, strict=strict))
        if self.fail_on_risk is not None:
            gates.append(risk_gate(report, self.fail_on_risk, strict=strict))
        if self.fail_on_new and before is not None:
            trusts = [trust for trust in (report.trust, before.trust) if trust is not None]
            gates.append(new_gate(before.new, trusts, strict=strict))
        return deciding_gate(gates)


def exit_code(report: Report) -> int:
    """The gate's own; 2 for a scan that did not come to its end, gate or no gate."""
    if not report.trust.finished:
        return 2
    return report.gate.exit if report.gate else 0


def comparison_exit_code(comparison: Comparison) -> int:
    """The same for a comparison: 2 when either scan did not come to its end, or there was nothing to compare with."""
    if not (comparison.trust.finished and comparison.base_trust.finished):
        return 2
    if comparison.gate:
        return comparison.gate.exit
    return 0 if comparison.base.commit else 2
