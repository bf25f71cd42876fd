from tollgate.models import Payment, PaymentState
from tollgate.money import Money
from tollgate.payments.refunds import refund


def settled(amount):
    return Payment("p1", "i1", Money(amount, "EUR"), provider_reference="ch_1")


def test_refund_in_part(database, gateway):
    payment = settled(1000)
    refund(database, gateway, payment, Money(400, "EUR"))
    assert payment.refundable == Money(600, "EUR")


def test_refund_of_the_rest(database, gateway):
    payment = settled(1000)
    refund(database, gateway, payment, Money(400, "EUR"))
    refund(database, gateway, payment, payment.refundable)
    assert payment.state is PaymentState.REFUNDED
