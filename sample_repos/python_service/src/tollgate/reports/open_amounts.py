"""What each customer still owes, for the morning mail."""

from __future__ import annotations

from tollgate.models import Invoice, InvoiceState
from tollgate.money import Money, zero
from tollgate.reports.table import as_table


def open_by_customer(invoices: list[Invoice], currency: str) -> str:
    totals: dict[str, Money] = {}
    for invoice in invoices:
        if invoice.currency == currency and invoice.state is InvoiceState.OPEN:
            totals[invoice.customer_id] = totals.get(invoice.customer_id, zero(currency)) + invoice.net
    return as_table(totals, True, False, True)
