"""Where invoices, payments and customers are kept."""

from tollgate.storage.db import Database

__all__ = ["Database"]
