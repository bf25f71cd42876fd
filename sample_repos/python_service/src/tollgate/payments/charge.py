"""Charges a customer's card for an invoice."""

from __future__ import annotations

import uuid

from tollgate.errors import CardDeclined
from tollgate.models import Customer, Invoice, InvoiceState, Payment, PaymentState
from tollgate.payments.gateway import Gateway
from tollgate.storage import Database


def charge_invoice(database: Database, gateway: Gateway, customer: Customer, invoice: Invoice) -> Payment:
    """Charges the card once; a declined card is a failed payment, not an error."""
    payment = Payment(uuid.uuid4().hex, invoice.id, invoice.total, attempts=1)
    database.save_payment(payment)
    try:
        reference = gateway.charge(customer.card_token, payment.amount.minor, invoice.currency, payment.id)
    except CardDeclined as declined:
        payment.state = PaymentState.FAILED
        payment.failure_code = declined.code
        database.save_payment(payment)
        return payment
    payment.provider_reference = reference
    payment.state = PaymentState.SETTLED
    invoice.state = InvoiceState.PAID
    database.save_payment(payment)
    database.save_invoice(invoice)
    return payment


def charge_all(database: Database, gateway: Gateway, invoices: list[Invoice]) -> list[Payment]:
    """Charges every invoice whose customer has a card on file."""
    payments = []
    for invoice in invoices:
        customer = database.customer(invoice.customer_id)
        if not customer.can_be_charged:
            continue
        try:
            payment = charge_invoice(database, gateway, customer, invoice)
            payments.append(payment)
        except Exception:
            pass
    return payments
