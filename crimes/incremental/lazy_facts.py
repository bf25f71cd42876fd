"""Facts from the cache: the outline at once, the rest on first use."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from crimes.model.facts import FileFacts, Outline

_decode_outline = msgspec.msgpack.Decoder(Outline).decode  # it ignores the fields after the outline
decode_facts = msgspec.msgpack.Decoder(FileFacts).decode
_LAZY_FIELDS = FileFacts.__struct_fields__[len(Outline.__struct_fields__) :]


class _LazyFacts:
    """Behaves like the FileFacts it was encoded from."""

    __slots__ = (*FileFacts.__struct_fields__, "_encoded")

    def __init__(self, encoded: bytes) -> None:
        outline = _decode_outline(encoded)
        for name in Outline.__struct_fields__:
            setattr(self, name, getattr(outline, name))
        self._encoded = encoded

    def __getattr__(self, name: str) -> Any:  # called for fields that are not decoded yet
        if name not in _LAZY_FIELDS:
            raise AttributeError(name)
        facts = decode_facts(self._encoded)
        for field in _LAZY_FIELDS:
            setattr(self, field, getattr(facts, field))
        return getattr(facts, name)


def lazy_facts(encoded: bytes) -> FileFacts:
    """The encoded facts. Raises MsgspecError when the bytes are something else."""
    return cast("FileFacts", _LazyFacts(encoded))
