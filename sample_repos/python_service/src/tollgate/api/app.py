"""The application: routes and nothing else."""

from starlette.applications import Starlette
from starlette.routing import Route

PREFIX = "/v1"

from tollgate.api import events, invoices  # noqa: E402, they need the prefix

app = Starlette(
    routes=[
        Route("/customers/{id}/balance", invoices.show_balance),
        Route("/customers/{id}/invoices", invoices.create, methods=["POST"]),
        Route(events.PATH, events.receive, methods=["POST"]),
    ]
)
