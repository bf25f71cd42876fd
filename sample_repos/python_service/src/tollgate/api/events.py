"""The route the payment provider calls."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse

from tollgate.api import app
from tollgate.config import load
from tollgate.payments.webhook import handle_event
from tollgate.storage import Database


PATH = f"{app.PREFIX}/provider/events"


async def receive(request: Request) -> JSONResponse:
    settings = load()
    outcome = handle_event(Database(settings.database), await request.json(), settings.max_attempts)
    return JSONResponse({"outcome": outcome})
