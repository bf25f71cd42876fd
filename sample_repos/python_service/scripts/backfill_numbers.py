"""One-off: give invoices from before numbering a number, oldest first."""

from tollgate.config import load
from tollgate.invoices.numbering import next_number
from tollgate.storage.db import Database


def main() -> None:
    database = Database(load().database)
    for invoice in database.invoices_without_number():
        invoice.number = next_number(database, invoice.issued_on.year)
        database.save_invoice(invoice)
        print(invoice.id, invoice.number)


if __name__ == "__main__":
    main()
