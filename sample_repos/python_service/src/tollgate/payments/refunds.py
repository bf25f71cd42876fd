"""Gives money back, in whole or in part."""

from __future__ import annotations

from tollgate.errors import RefundTooLarge
from tollgate.models import Payment, PaymentState
from tollgate.money import Money
from tollgate.payments.gateway import Gateway
from tollgate.storage import Database


def refund(database: Database, gateway: Gateway, payment: Payment, amount: Money) -> Payment:
    if amount > payment.refundable:
        raise RefundTooLarge(f"{amount} of {payment.refundable}")
    key = f"{payment.id}-{payment.refunded}"
    gateway.refund(payment.provider_reference, amount.minor, key)
    payment.refunded += amount.minor
    if payment.refundable.minor == 0:
        payment.state = PaymentState.REFUNDED
    database.save_payment(payment)
    return payment
