"""Which tax rate applies to a customer."""

from __future__ import annotations

from tollgate.models import Customer

HOME = "SE"
RATES_PER_MILLE = {"SE": 250, "DE": 190, "FR": 200, "NL": 210, "IE": 230}


def rate_for(customer: Customer) -> int:
    """Businesses in other union countries account for the tax themselves; outside the union there is none."""
    if customer.country not in RATES_PER_MILLE:
        return 0
    if customer.is_business and customer.country != HOME:
        return 0
    return RATES_PER_MILLE[customer.country]


def note_for(customer: Customer) -> str:
    """What has to be printed on the invoice."""
    if customer.country == HOME:
        return "VAT included"
    elif customer.is_business and customer.country in RATES_PER_MILLE:
        return "Reverse charge"
    elif customer.country not in RATES_PER_MILLE:
        return "Outside the scope of EU VAT"
    elif customer.country == HOME:
        return "VAT included, domestic business"
    return "VAT of the country of the customer included"
