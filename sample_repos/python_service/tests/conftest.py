import pytest

from tollgate.errors import CardDeclined
from tollgate.models import Customer
from tollgate.storage import Database


class FakeGateway:
    """Accepts every card but those whose token names a decline code."""

    def __init__(self):
        self.charges = []
        self.refunds = []

    def charge(self, card_token, minor, currency, idempotency_key):
        if card_token.startswith("decline:"):
            raise CardDeclined(card_token.removeprefix("decline:"))
        self.charges.append((card_token, minor, currency))
        return f"ch_{len(self.charges)}"

    def refund(self, reference, minor, idempotency_key):
        self.refunds.append((reference, minor))
        return f"re_{len(self.refunds)}"


@pytest.fixture
def database(tmp_path):
    return Database(str(tmp_path / "test.db"))


@pytest.fixture
def gateway():
    return FakeGateway()


@pytest.fixture
def customer(database):
    customer = Customer("c1", "Ines", "ines@example.org", "DE", card_token="tok_1")
    database.save_customer(customer)
    return customer
