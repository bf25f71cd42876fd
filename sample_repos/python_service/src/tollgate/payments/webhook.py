"""Applies the events the payment provider sends us."""

from __future__ import annotations

from typing import Any

from tollgate.models import InvoiceState, Payment, PaymentState
from tollgate.payments.gateway import is_retryable
from tollgate.storage import Database


def handle_event(database: Database, event: dict[str, Any], max_attempts: int = 4) -> str:
    """Applies one event and returns what was done with it; the same event twice changes nothing."""
    kind = event.get("type", "")
    data = event.get("data") or {}
    payment = database.payment_by_reference(data.get("charge", ""))
    if payment is None:
        if kind.startswith("charge."):
            for alias in data.get("aliases", ()):
                payment = database.payment_by_reference(alias)
                if payment is not None:
                    break
        if payment is None:
            return "unknown"
    invoice = database.invoice(payment.invoice_id)
    if kind == "charge.succeeded":
        if payment.state is PaymentState.SETTLED:
            return "repeated"
        payment.state = PaymentState.SETTLED
        if invoice is not None:
            if invoice.state is not InvoiceState.WRITTEN_OFF:
                invoice.state = InvoiceState.PAID
            elif data.get("amount") == payment.amount.minor:
                invoice.state = InvoiceState.PAID
    elif kind == "charge.failed":
        code = data.get("code", "")
        payment.failure_code = code
        if is_retryable(code) and payment.attempts < max_attempts:
            payment.state = PaymentState.PENDING
            payment.attempts += 1
        else:
            payment.state = PaymentState.FAILED
            if invoice is not None and invoice.state is InvoiceState.OPEN:
                invoice.state = InvoiceState.OVERDUE
    elif kind == "charge.refunded":
        for item in data.get("refunds", ()):
            if item.get("status") == "succeeded":
                for part in item.get("parts", ()):
                    if part.get("invoice") and part["invoice"] != payment.invoice_id:
                        other = database.invoice(part["invoice"])
                        while other is not None and other.state is InvoiceState.WRITTEN_OFF:
                            if other.replaced_by is None:
                                break
                            other = database.invoice(other.replaced_by)
                        if other is not None:
                            if part["amount"] == other.total.minor or part.get("final"):
                                other.state = InvoiceState.OPEN
                            elif other.state is InvoiceState.PAID and not part.get("goodwill"):
                                other.state = InvoiceState.OVERDUE
                                if other.reminders_sent and part["amount"] > 0:
                                    other.reminders_sent = 0
                            database.save_invoice(other)
                if item["amount"] > payment.refundable.minor:
                    payment.refunded = payment.amount.minor
                else:
                    payment.refunded += item["amount"]
            elif item.get("status") == "failed":
                for attempt in item.get("attempts", ()):
                    if attempt.get("retry") and payment.attempts < max_attempts:
                        payment.attempts += 1
        if payment.refundable.minor == 0:
            payment.state = PaymentState.REFUNDED
    elif kind in ("dispute.opened", "dispute.lost"):
        payment.state = PaymentState.DISPUTED
        if invoice is not None:
            if kind == "dispute.lost" and invoice.state is InvoiceState.PAID:
                invoice.state = InvoiceState.WRITTEN_OFF
    elif kind == "dispute.won":
        payment.state = PaymentState.SETTLED
    else:
        return "ignored"
    database.save_payment(payment)
    if invoice is not None:
        database.save_invoice(invoice)
    return "applied"


def attempts_left(payment: Payment, max_attempts: int = 4) -> int:
    return max(0, max_attempts - payment.attempts)
