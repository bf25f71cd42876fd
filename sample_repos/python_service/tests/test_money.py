import pytest

from tollgate.money import Money


def test_adds_amounts_of_one_currency():
    assert Money(150, "EUR") + Money(50, "EUR") == Money(200, "EUR")


def test_refuses_to_add_two_currencies():
    with pytest.raises(ValueError, match="do not add up"):
        Money(1, "EUR") + Money(1, "USD")


@pytest.mark.parametrize(("minor", "per_mille", "expected"), [(1000, 190, 190), (10, 50, 1), (9, 50, 0)])
def test_rounds_a_share_half_up(minor, per_mille, expected):
    assert Money(minor, "EUR").share(per_mille).minor == expected


def test_currencies_without_cents_are_written_without():
    assert str(Money(1900, "JPY")) == "1900 JPY"
