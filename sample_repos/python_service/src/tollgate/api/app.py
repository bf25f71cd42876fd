"""The application: routes and nothing else."""

from starlette.applications import Starlette
from starlette.routing import Route

from tollgate.api import events, invoices

app = Starlette(
    routes=[
        Route("/customers/{id}/balance", invoices.show_balance),
        Route("/customers/{id}/invoices", invoices.create, methods=["POST"]),
        Route("/provider/events", events.receive, methods=["POST"]),
    ]
)
