"""Customers, invoices and payments as the rest of the service sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from tollgate.money import Money, zero


class InvoiceState(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    PAID = "paid"
    OVERDUE = "overdue"
    WRITTEN_OFF = "written_off"


class PaymentState(StrEnum):
    PENDING = "pending"
    SETTLED = "settled"
    FAILED = "failed"
    REFUNDED = "refunded"
    DISPUTED = "disputed"


@dataclass
class Customer:
    id: str
    name: str
    email: str
    country: str
    vat_id: str = ""
    card_token: str = ""
    paused: bool = False
    discount_per_mille: int = 0

    @property
    def is_business(self) -> bool:
        return bool(self.vat_id)

    @property
    def can_be_charged(self) -> bool:
        return bool(self.card_token) and not self.paused


@dataclass
class Line:
    text: str
    quantity: int
    unit: Money
    tax_per_mille: int = 0

    @property
    def net(self) -> Money:
        return Money(self.unit.minor * self.quantity, self.unit.currency)

    @property
    def tax(self) -> Money:
        return self.net.share(self.tax_per_mille)


@dataclass
class Invoice:
    id: str
    customer_id: str
    currency: str
    issued_on: date
    due_on: date
    number: str = ""
    state: InvoiceState = InvoiceState.DRAFT
    lines: list[Line] = field(default_factory=list)
    reminders_sent: int = 0
    replaced_by: str | None = None

    @property
    def net(self) -> Money:
        total = zero(self.currency)
        for line in self.lines:
            total = total + line.net
        return total

    @property
    def tax(self) -> Money:
        total = zero(self.currency)
        for line in self.lines:
            total = total + line.tax
        return total

    @property
    def total(self) -> Money:
        return self.net + self.tax

    def days_late(self, today: date) -> int:
        return max(0, (today - self.due_on).days)

    def extend(self, days: int) -> None:
        self.due_on = self.due_on + timedelta(days=days)


@dataclass
class Payment:
    id: str
    invoice_id: str
    amount: Money
    state: PaymentState = PaymentState.PENDING
    provider_reference: str = ""
    refunded: int = 0
    attempts: int = 0
    failure_code: str = ""

    @property
    def refundable(self) -> Money:
        return Money(self.amount.minor - self.refunded, self.amount.currency)
