"""What a customer owes and is granted."""

from __future__ import annotations

from tollgate.invoices import builder
from tollgate.models import Customer, InvoiceState
from tollgate.money import Money, zero
from tollgate.storage import Database

LOYAL_AFTER_INVOICES = 12
LOYAL_DISCOUNT_PER_MILLE = 50


def balance(database: Database, customer: Customer, currency: str) -> Money:
    """Everything open, and the invoice that would be built today."""
    total = zero(currency)
    for invoice in database.invoices_of(customer.id):
        if invoice.state in (InvoiceState.OPEN, InvoiceState.OVERDUE):
            total = total + invoice.total
    return total + builder.preview(database, customer, currency).total


def discount(database: Database, customer: Customer) -> int:
    """The customer's own discount, or the one for a year of paid invoices, in thousandths."""
    paid = [invoice for invoice in database.invoices_of(customer.id) if invoice.state is InvoiceState.PAID]
    if len(paid) >= LOYAL_AFTER_INVOICES:
        return max(customer.discount_per_mille, LOYAL_DISCOUNT_PER_MILLE)
    return customer.discount_per_mille


def pause(database: Database, customer: Customer) -> None:
    customer.paused = True
    database.save_customer(customer)
