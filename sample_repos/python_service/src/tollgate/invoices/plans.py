"""What each plan costs a month."""

from __future__ import annotations

from tollgate.models import Customer, Line
from tollgate.money import Money

SEAT_PRICE = {"EUR": 1200, "USD": 1300, "JPY": 1900}
VAT_HANDLING = {"EUR": 300, "USD": 300, "JPY": 450}


def plan_lines(customer: Customer, currency: str) -> list[Line]:
    lines = [Line("Seat, monthly", 1, Money(SEAT_PRICE[currency], currency))]
    if customer.is_business:
        lines.append(Line("Business invoicing", 1, Money(VAT_HANDLING[currency], currency)))
    return lines
