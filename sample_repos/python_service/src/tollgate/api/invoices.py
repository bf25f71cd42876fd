"""Routes about invoices."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse

from tollgate.config import load
from tollgate.customers.service import balance
from tollgate.errors import UnknownCustomer
from tollgate.invoices.builder import issue
from tollgate.storage import Database


async def show_balance(request: Request) -> JSONResponse:
    database = Database(load().database)
    try:
        customer = database.customer(request.path_params["id"])
    except UnknownCustomer as error:
        return JSONResponse({"error": str(error)}, status_code=404)
    return JSONResponse({"balance": str(balance(database, customer, "EUR"))})


async def create(request: Request) -> JSONResponse:
    database = Database(load().database)
    customer = database.customer(request.path_params["id"])
    invoice = issue(database, customer, "EUR")
    return JSONResponse({"number": invoice.number, "total": str(invoice.total)}, status_code=201)
