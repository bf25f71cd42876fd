"""Reminds customers whose invoices are late, and pauses those who do not answer."""

from __future__ import annotations

from datetime import date

from tollgate.customers import service
from tollgate.models import Invoice, InvoiceState
from tollgate.notifications import mail
from tollgate.storage import Database

STEPS = (3, 10, 21)  # days late at which a reminder goes out
PAUSE_AFTER_DAYS = 45


def due_step(invoice: Invoice, today: date) -> int | None:
    """The reminder this invoice should get today, counted from zero."""
    late = invoice.days_late(today)
    reached = sum(late >= days for days in STEPS)
    return reached - 1 if reached > invoice.reminders_sent else None


def remind(database: Database, today: date, host: str = "localhost") -> int:
    sent = 0
    for invoice in database.unpaid_invoices():
        customer = database.customer(invoice.customer_id)
        if invoice.days_late(today) > PAUSE_AFTER_DAYS:
            service.pause(database, customer)
        step = due_step(invoice, today)
        if step is None:
            continue
        if mail.send(mail.reminder(customer, invoice, final=step == len(STEPS) - 1), host):
            invoice.reminders_sent = step + 1
            invoice.state = InvoiceState.OVERDUE
            database.save_invoice(invoice)
            sent += 1
    return sent
