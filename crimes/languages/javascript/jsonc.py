"""JSON with comments and trailing commas, as tsconfig.json allows it."""

from __future__ import annotations

import json
import re
from typing import Any

from crimes.model.lazy_regex import regex

# Each alternative may also end at the end of the text: a broken file costs one pass, not one per quote.
_STRING = r'"(?:\\.|[^"\\])*+(?:"|\\?\Z)'
_COMMENT = regex(rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = regex(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


def read_object(source: bytes) -> dict[str, Any]:
    """The object in a settings file; an empty one when the file is broken or holds something else."""
    text = source.decode("utf-8-sig", "replace")
    text = _COMMENT.sub(lambda match: match[1] or " ", text)
    text = _TRAILING_COMMA.sub(lambda match: match[1] or "", text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def texts(value: object) -> tuple[str, ...]:
    """The strings of a setting that may be a string, a list, or anything else."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
