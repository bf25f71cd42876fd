"""JSON, by the faster library when it is installed."""

from __future__ import annotations

import json
from typing import Any

try:
    import orjson
except ImportError:
    orjson = None


def encode(value: Any) -> bytes:
    if orjson is not None:
        return bytes(orjson.dumps(value))
    return json.dumps(value, separators=(",", ":")).encode()
