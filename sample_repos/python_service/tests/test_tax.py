from tollgate.invoices.tax import rate_for
from tollgate.models import Customer


def customer(country, vat_id=""):
    return Customer("c", "n", "e@example.org", country, vat_id=vat_id)


def test_private_customers_pay_the_rate_of_their_country():
    assert rate_for(customer("DE")) == 190


def test_businesses_abroad_account_for_it_themselves():
    assert rate_for(customer("DE", vat_id="DE123")) == 0


def test_businesses_at_home_pay():
    assert rate_for(customer("SE", vat_id="SE123")) == 250


def test_nobody_outside_the_union_pays():
    assert rate_for(customer("US")) == 0
