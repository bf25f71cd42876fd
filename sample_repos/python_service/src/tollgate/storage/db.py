"""A small document store on SQLite: one table a kind, one row a document."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from tollgate.errors import UnknownCustomer
from tollgate.models import Customer, Invoice, InvoiceState, Payment
from tollgate.storage.rows import customer_row, invoice_row, payment_row, to_customer, to_invoice, to_payment

TABLES = ("customers", "invoices", "payments", "numbers")


class Database:
    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path)
        for table in TABLES:
            self._connection.execute(f"create table if not exists {table} (id text primary key, body text)")

    def save_customer(self, customer: Customer) -> None:
        self._write("customers", customer.id, customer_row(customer))

    def save_invoice(self, invoice: Invoice) -> None:
        self._write("invoices", invoice.id, invoice_row(invoice))

    def save_payment(self, payment: Payment) -> None:
        self._write("payments", payment.id, payment_row(payment))

    def customer(self, id: str) -> Customer:
        row = self._read("customers", id)
        if row is None:
            raise UnknownCustomer(id)
        return to_customer(row)

    def invoices_of(self, customer_id: str) -> list[Invoice]:
        return [invoice for invoice in self._invoices() if invoice.customer_id == customer_id]

    def unpaid_invoices(self) -> list[Invoice]:
        open_states = (InvoiceState.OPEN, InvoiceState.OVERDUE)
        return [invoice for invoice in self._invoices() if invoice.state in open_states]

    def invoices_without_number(self) -> list[Invoice]:
        missing = [invoice for invoice in self._invoices() if not invoice.number]
        return sorted(missing, key=lambda invoice: invoice.issued_on)

    def invoice(self, id: str) -> Invoice | None:
        row = self._read("invoices", id)
        return to_invoice(row) if row else None

    def payment_by_reference(self, reference: str) -> Payment | None:
        for (body,) in self._connection.execute("select body from payments order by id"):
            row = json.loads(body)
            if row["provider_reference"] == reference:
                return to_payment(row)
        return None

    def take_number(self, year: int) -> int:
        row = self._read("numbers", str(year)) or {"last": 0}
        row["last"] += 1
        self._write("numbers", str(year), row)
        return int(row["last"])

    def _invoices(self) -> Iterator[Invoice]:
        for (body,) in self._connection.execute("select body from invoices order by id"):
            yield to_invoice(json.loads(body))

    def _write(self, table: str, id: str, row: dict[str, object]) -> None:
        with self._connection:
            self._connection.execute(
                f"insert into {table} values (?, ?) on conflict (id) do update set body = excluded.body",
                (id, json.dumps(row)),
            )

    def _read(self, table: str, id: str) -> dict[str, object] | None:
        found = self._connection.execute(f"select body from {table} where id = ?", (id,)).fetchone()
        return json.loads(found[0]) if found else None
