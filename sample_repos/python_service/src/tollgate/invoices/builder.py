"""Builds an invoice from a customer's plan."""

from __future__ import annotations

import uuid
from datetime import date, timedelta

from tollgate.customers import service
from tollgate.invoices.numbering import next_number
from tollgate.invoices.plans import plan_lines
from tollgate.invoices.tax import rate_for
from tollgate.models import Customer, Invoice, InvoiceState, Line
from tollgate.storage import Database

PAYMENT_DAYS = 14


def preview(database: Database, customer: Customer, currency: str, today: date | None = None) -> Invoice:
    """The invoice as it would be, without a number and without saving it."""
    issued = today or date.today()
    rate = rate_for(customer)
    granted = service.discount(database, customer)
    lines = [_discounted(line, granted, rate) for line in plan_lines(customer, currency)]
    return Invoice(
        id=uuid.uuid4().hex,
        customer_id=customer.id,
        currency=currency,
        issued_on=issued,
        due_on=issued + timedelta(days=PAYMENT_DAYS),
        lines=lines,
    )


def issue(database: Database, customer: Customer, currency: str, today: date | None = None) -> Invoice:
    invoice = preview(database, customer, currency, today)
    invoice.number = next_number(database, invoice.issued_on.year)
    invoice.state = InvoiceState.OPEN
    database.save_invoice(invoice)
    return invoice


def _discounted(line: Line, per_mille: int, tax_per_mille: int) -> Line:
    return Line(line.text, line.quantity, line.unit - line.unit.share(per_mille), tax_per_mille)
