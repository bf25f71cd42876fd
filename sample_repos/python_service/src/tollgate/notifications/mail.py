"""Writes and sends mails."""

from __future__ import annotations

import logging
import smtplib
from email.message import EmailMessage

from tollgate.invoices.render import as_text
from tollgate.models import Customer, Invoice
from tollgate.notifications import templates

log = logging.getLogger(__name__)


def reminder(customer: Customer, invoice: Invoice, final: bool) -> EmailMessage:
    text = templates.FINAL_REMINDER if final else templates.REMINDER
    return _message(customer, f"Reminder for invoice {invoice.number}", text, invoice)


def declined(customer: Customer, invoice: Invoice, code: str) -> EmailMessage:
    text = templates.DECLINED.replace("{reason}", templates.decline_reason(code))
    return _message(customer, f"We could not charge invoice {invoice.number}", text, invoice)


def send(message: EmailMessage, host: str = "localhost") -> bool:
    """Whether the mail left; a mail that does not is in the log and goes out with the next run."""
    try:
        with smtplib.SMTP(host) as server:
            server.send_message(message)
    except OSError as error:
        log.warning("mail to %s not sent: %s", message["To"], error)
        return False
    except ConnectionRefusedError:
        log.error("no mail server at %s", host)
        return False
    return True


def _message(customer: Customer, subject: str, text: str, invoice: Invoice) -> EmailMessage:
    message = EmailMessage()
    message["To"] = customer.email
    message["Subject"] = subject
    message.set_content(
        text.format(name=customer.name, number=invoice.number, total=invoice.total, due=invoice.due_on)
    )
    message.add_attachment(as_text(invoice, customer), filename=f"{invoice.number}.txt")
    return message
