from datetime import date

from tollgate.customers.service import balance
from tollgate.invoices.builder import issue, preview
from tollgate.models import InvoiceState


def test_issues_with_consecutive_numbers(database, customer):
    day = date(2025, 5, 2)
    first, second = issue(database, customer, "EUR", day), issue(database, customer, "EUR", day)
    assert (first.number, second.number) == ("2025-000001", "2025-000002")
    assert first.state is InvoiceState.OPEN


def test_the_discount_comes_off_before_tax(database, customer):
    customer.discount_per_mille = 100
    invoice = preview(database, customer, "EUR", date(2025, 5, 2))
    assert invoice.net.minor == 1080
    assert invoice.tax.minor == 205


def test_the_balance_counts_what_is_open_and_what_is_next(database, customer):
    issue(database, customer, "EUR", date(2025, 5, 2))
    assert balance(database, customer, "EUR").minor == 2 * 1428
