"""Facts out of the cache are those that went in, however little of them is asked for first."""

from __future__ import annotations

import msgspec
import pytest

from crimes.incremental.lazy_facts import lazy_facts
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import FileFacts, Outline
from tests.kit.golden_facts import SAMPLES

FIELDS = FileFacts.__struct_fields__


@pytest.mark.parametrize("language", SAMPLES)
def test_every_field_equals_the_eagerly_decoded_one(language: str) -> None:
    facts = read_facts(by_id[language], SAMPLES[language].read_bytes())
    encoded = msgspec.msgpack.encode(facts)
    for first in FIELDS:
        late = lazy_facts(encoded)
        assert getattr(late, first) == getattr(facts, first), first
    assert {name: getattr(late, name) for name in FIELDS} == {name: getattr(facts, name) for name in FIELDS}


def test_fields_beyond_the_outline_are_decoded_on_access(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = FileFacts("python", 3, 2, "", definitions=("a",))
    late = lazy_facts(msgspec.msgpack.encode(facts))
    monkeypatch.setattr("crimes.incremental.lazy_facts.decode_facts", lambda encoded: pytest.fail("decoded"))
    assert [getattr(late, name) for name in Outline.__struct_fields__] == list(
        msgspec.structs.astuple(facts)[: len(Outline.__struct_fields__)]
    )
    with pytest.raises(pytest.fail.Exception, match="decoded"):
        _ = late.functions


@pytest.mark.parametrize("wrong", [b"", b"\x93", msgspec.msgpack.encode(["python", "x"])])
def test_malformed_bytes_are_refused_immediately(wrong: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        lazy_facts(wrong)
