"""A sample of what Python facts are made of.

This docstring is not code.
"""

from __future__ import annotations

import asyncio, json as js
from collections.abc import (
    Iterator as Iter,
    Mapping,
)
from typing import TYPE_CHECKING

from . import sibling
from ..parent.module import helper as h
from .star import *

if TYPE_CHECKING:
    from .types import Shape

try:
    import fast_json
except ImportError:
    fast_json = None

__all__ = ["Service", "route"]

LIMITS = {
    "small": 1,
    "large": 100,
}
SETTINGS = "shop.settings.production"


@app.route("/orders/<id>", methods=["GET"])
async def route(id, verbose: bool = False, *rest, dry_run=True, limit: int = 3, **extra) -> dict:
    """A docstring."""
    # One comment on its own line.
    import late_module

    if verbose and dry_run and limit or rest:  # a run of `and`, then `or`
        for item in rest:
            if item:
                continue
            elif extra:
                return await fetch(item)
            else:
                pass
    try:
        charge(os.environ.get("SHOP_TOKEN"))
    except (ValueError, errors.Timeout) as problem:
        log.warning("failed: %s", problem)
    except Exception:
        return None
    else:
        done()
    finally:
        close()
    return {key: value for key, value in extra.items() if value}


class Service(Base, metaclass=Meta):
    name: str = "service"

    def __init__(self, client):
        self.client = client
        self._cache = {}

    def get(self, key):
        value = self._cache.get(key) or self.client.fetch(key).json()["value"]
        return value if value else self.get("default")

    @property
    def size(self):
        return len(self._cache)


def decorator(function):
    def wrapper(*args):
        if args:
            return function(*args)
        raise TypeError

    return wrapper


def kind(value):
    match value:
        case 0 | 1:
            return "few"
        case [_, *_] if value:
            return "list"
        case _:
            return (lambda x: x if x else "none")(value)


def test_route():
    assert route(1)


importlib.import_module("shop.plugins.mail")
main()
