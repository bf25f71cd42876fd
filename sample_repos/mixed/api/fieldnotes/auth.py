"""Who is asking."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping

from fieldnotes.records import Observer


def sign(observer_id: str) -> str:
    key = os.environ["FIELDNOTES_KEY"].encode()
    return hmac.new(key, observer_id.encode(), hashlib.sha256).hexdigest()


def observer_of(headers: Mapping[str, str]) -> Observer | None:
    """The observer a signed token names, or nobody."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    observer_id, _, signature = token.partition(".")
    if scheme != "Bearer" or not hmac.compare_digest(signature, sign(observer_id)):
        return None
    return Observer(observer_id, observer_id)
