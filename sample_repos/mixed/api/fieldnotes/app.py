"""The HTTP routes."""

from __future__ import annotations

import uuid
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from fieldnotes import export, photos, search, stats
from fieldnotes.auth import observer_of
from fieldnotes.records import InvalidRecord, Place
from fieldnotes.schemas import sighting_in, sighting_out
from fieldnotes.store import Store

store = Store(Path("sightings.jsonl"))


async def find(request: Request) -> JSONResponse:
    query = request.query_params
    place = Place(float(query["lat"]), float(query["lon"]))
    found = search.near(store.all(), place, float(query.get("km", "10")))
    reader = observer_of(request.headers)
    return JSONResponse([sighting_out(sighting, reader) for sighting in found])


async def add(request: Request) -> JSONResponse:
    observer = observer_of(request.headers)
    if observer is None:
        return JSONResponse({"error": "sign in first"}, status_code=401)
    try:
        sighting = sighting_in(await request.json(), uuid.uuid4().hex, observer)
    except InvalidRecord as error:
        return JSONResponse({"problems": error.problems}, status_code=422)
    store.put(sighting)
    return JSONResponse(sighting_out(sighting, observer), status_code=201)


async def months(request: Request) -> JSONResponse:
    return JSONResponse(dict(stats.by_month(store.all())))


async def download(request: Request) -> PlainTextResponse:
    return PlainTextResponse(export.as_csv(store.all()), media_type="text/csv")


async def add_photo(request: Request) -> JSONResponse:
    asked = await request.json()
    photo = await photos.keep(request.path_params["sighting"], asked["address"])
    return JSONResponse({"path": str(photo.path)}, status_code=201)


app = Starlette(
    routes=[
        Route("/sightings", find),
        Route("/sightings", add, methods=["POST"]),
        Route("/sightings/{sighting}/photos", add_photo, methods=["POST"]),
        Route("/stats/months", months),
        Route("/export.csv", download),
    ]
)
