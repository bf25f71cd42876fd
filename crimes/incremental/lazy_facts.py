"""Facts out of the cache: the outline at once, the rest when somebody asks for it."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from crimes.model.facts import FileFacts, Outline

_outline = msgspec.msgpack.Decoder(Outline).decode  # it passes over what comes after
whole_facts = msgspec.msgpack.Decoder(FileFacts).decode
_REST = FileFacts.__struct_fields__[len(Outline.__struct_fields__) :]


class _Late:
    """Looks like the facts it was made of."""

    __slots__ = (*FileFacts.__struct_fields__, "_encoded")

    def __init__(self, encoded: bytes) -> None:
        outline = _outline(encoded)
        for name in Outline.__struct_fields__:
            setattr(self, name, getattr(outline, name))
        self._encoded = encoded

    def __getattr__(self, name: str) -> Any:  # called for what is not there yet
        if name not in _REST:
            raise AttributeError(name)
        whole = whole_facts(self._encoded)
        for each in _REST:
            setattr(self, each, getattr(whole, each))
        return getattr(whole, name)


def late_facts(encoded: bytes) -> FileFacts:
    """The facts that were encoded. Raises MsgspecError where they are something else."""
    return cast("FileFacts", _Late(encoded))
