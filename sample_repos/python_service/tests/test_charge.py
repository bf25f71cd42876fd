from datetime import date

from tollgate.invoices.builder import issue
from tollgate.models import InvoiceState, PaymentState
from tollgate.payments.charge import charge_all, charge_invoice


def test_a_charged_invoice_is_paid(database, gateway, customer):
    invoice = issue(database, customer, "EUR", date(2025, 5, 2))
    payment = charge_invoice(database, gateway, customer, invoice)
    assert payment.state is PaymentState.SETTLED
    assert database.invoice(invoice.id).state is InvoiceState.PAID


def test_a_declined_card_keeps_its_code(database, gateway, customer):
    customer.card_token = "decline:card_expired"
    invoice = issue(database, customer, "EUR", date(2025, 5, 2))
    payment = charge_invoice(database, gateway, customer, invoice)
    assert payment.failure_code == "card_expired"


def test_paused_customers_are_not_charged(database, gateway, customer):
    customer.paused = True
    database.save_customer(customer)
    invoice = issue(database, customer, "EUR", date(2025, 5, 2))
    assert charge_all(database, gateway, [invoice]) == []
