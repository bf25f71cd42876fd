"""An invoice as plain text, for the attachment of the mail."""

from __future__ import annotations

from tollgate.models import Customer, Invoice


def as_text(invoice: Invoice, customer: Customer) -> str:
    rows = [f"Invoice {invoice.number}", customer.name, f"Issued {invoice.issued_on}, due {invoice.due_on}", ""]
    for line in invoice.lines:
        rows.append(f"{line.quantity} x {line.text:<30} {line.net}")
    rows += ["", f"Net   {invoice.net}", f"Tax   {invoice.tax}", f"Total {invoice.total}"]
    return "\n".join(rows) + "\n"
