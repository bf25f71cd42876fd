from datetime import date

from tollgate.invoices.builder import preview
from tollgate.invoices.render import as_text


def test_the_total_stands_at_the_end(database, customer):
    invoice = preview(database, customer, "EUR", date(2025, 5, 2))
    as_text(invoice, customer)
