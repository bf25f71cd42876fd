"""Net sales by country, for the statistics office."""

from __future__ import annotations

from datetime import date

from tollgate.models import Customer, Invoice, InvoiceState
from tollgate.money import Money, zero
from tollgate.reports.table import as_table


def net_by_country(
    invoices: list[Invoice], customers: dict[str, Customer], currency: str, first: date, last: date
) -> str:
    totals: dict[str, Money] = {}
    for invoice in invoices:
        if invoice.currency != currency or invoice.state is InvoiceState.DRAFT:
            continue
        if invoice.issued_on < first or invoice.issued_on > last:
            continue
        customer = customers.get(invoice.customer_id)
        country = customer.country if customer else "unknown"
        if customer and customer.is_business and not customer.vat_id.startswith(country):
            country = customer.vat_id[:2]
        totals[country] = totals.get(country, zero(currency)) + invoice.net
    for country in list(totals):
        if not totals[country].minor:
            del totals[country]
    return as_table(totals, True, True, False)
