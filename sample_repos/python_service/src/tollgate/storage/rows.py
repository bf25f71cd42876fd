"""Documents to rows and back."""

from __future__ import annotations

from datetime import date
from typing import Any

from tollgate.models import Customer, Invoice, InvoiceState, Line, Payment, PaymentState
from tollgate.money import Money


def customer_row(customer: Customer) -> dict[str, Any]:
    return dict(vars(customer))


def to_customer(row: dict[str, Any]) -> Customer:
    return Customer(**row)


def invoice_row(invoice: Invoice) -> dict[str, Any]:
    row = dict(vars(invoice))
    row["issued_on"] = invoice.issued_on.isoformat()
    row["due_on"] = invoice.due_on.isoformat()
    row["lines"] = [[line.text, line.quantity, line.unit.minor, line.tax_per_mille] for line in invoice.lines]
    return row


def to_invoice(row: dict[str, Any]) -> Invoice:
    lines = [
        Line(text, quantity, Money(minor, row["currency"]), tax) for text, quantity, minor, tax in row["lines"]
    ]
    return Invoice(
        **{
            **row,
            "issued_on": date.fromisoformat(row["issued_on"]),
            "due_on": date.fromisoformat(row["due_on"]),
            "state": InvoiceState(row["state"]),
            "lines": lines,
        }
    )


def payment_row(payment: Payment) -> dict[str, Any]:
    row = dict(vars(payment))
    row["amount"] = [payment.amount.minor, payment.amount.currency]
    return row


def to_payment(row: dict[str, Any]) -> Payment:
    return Payment(**{**row, "amount": Money(*row["amount"]), "state": PaymentState(row["state"])})
