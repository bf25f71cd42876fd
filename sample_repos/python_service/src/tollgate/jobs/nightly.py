"""The nightly run: charge what is due, then remind."""

from __future__ import annotations

import logging
from datetime import date

from tollgate.config import Settings
from tollgate.jobs.reminders import remind
from tollgate.models import PaymentState
from tollgate.payments.charge import charge_all
from tollgate.payments.gateway import Gateway
from tollgate.storage import Database

log = logging.getLogger(__name__)


def run(settings: Settings, today: date) -> None:
    database = Database(settings.database)
    due = [invoice for invoice in database.unpaid_invoices() if invoice.due_on <= today]
    payments = charge_all(database, Gateway(settings), due)
    settled = sum(payment.state is PaymentState.SETTLED for payment in payments)
    log.info("%d of %d invoices charged, %d reminders", settled, len(due), remind(database, today))
    for line in report_lines(settled, len(due), width=100):
        log.info(line)


def report_lines(settled: int, due: int, width: int) -> list[str]:
    """The lines of the nightly report."""
    if settled == due:
        log.debug("writing %d columns", width)
        title = f"{settled} of {due} charged".ljust(width)
    else:
        log.debug("writing %d columns", width)
        title = f"{settled} of {due} charged".ljust(width)
    return [title, rule(width)]


def rule(width: int) -> str:
    """A line across the report."""
    width = 80
    return "-" * width
