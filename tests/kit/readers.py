"""Both readers of one source, held against each other."""

from __future__ import annotations

import msgspec

from crimes.engine.read_files import allowed_seconds
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.native import job_of, native_module, read_natively
from crimes.languages.engine.reading import Unreadable
from crimes.languages.spec import Language
from crimes.model.facts import FileFacts

HAS_NATIVE = native_module() is not None
BY_ENDING = {ending: language for language in by_id.values() for ending in language.extensions}
_encode = msgspec.msgpack.Encoder().encode


class ReadersDisagree(Exception):
    """The two readers made different facts of the same bytes."""


def read_with_both(language: Language, source: bytes) -> FileFacts:
    """The facts of a source. Raises Unreadable, and ReadersDisagree if the native reader is there and says something else."""
    facts = read_facts(language, source)
    encoded = native_facts(language, source)
    if encoded is not None and encoded != _encode(facts):
        raise ReadersDisagree(difference(facts, encoded))
    return facts


def native_facts(language: Language, source: bytes) -> bytes | None:
    """The encoded facts as the native reader makes them; None where it is not there, or declines."""
    try:
        job = job_of(language, source)
    except Unreadable:
        return None
    return read_natively([job], allowed_seconds)[0] if job is not None else None


def difference(expected: FileFacts, encoded: bytes) -> str:
    """The first field that differs, with both values."""
    actual = msgspec.msgpack.decode(encoded, type=FileFacts)
    for name in FileFacts.__struct_fields__:
        python, native = getattr(expected, name), getattr(actual, name)
        if python != native:
            if isinstance(python, tuple):
                pairs = zip([*python, None], [*native, None], strict=False)
                python, native = next((pair for pair in pairs if pair[0] != pair[1]), (python, native))
            return f"{name}: python {python}, native {native}"
    return "only the encoding differs"
