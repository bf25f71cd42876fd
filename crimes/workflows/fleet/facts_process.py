"""The process that reads facts for a scan elsewhere: `python -m crimes.workflows.fleet.facts_process`. Contents in, facts out."""

from __future__ import annotations

import gc
import signal

import msgspec

from crimes.engine.read_files import CHUNK_BYTES, allowed_seconds
from crimes.languages import by_id
from crimes.languages.engine.native import encoded_facts
from crimes.languages.engine.reading import Unreadable
from crimes.system.task_server import serve
from crimes.system.workers import map_in_workers

MAX_BATCH_SECONDS = 600

Item = tuple[str, bytes]  # id of the language, content of the file

decode_items = msgspec.msgpack.Decoder(list[Item]).decode
decode_facts_list = msgspec.msgpack.Decoder(list[bytes]).decode
encode = msgspec.msgpack.Encoder().encode


def main() -> None:
    """Serve until the caller goes away."""
    gc.freeze()
    serve(_work, lambda task: MAX_BATCH_SECONDS, lambda task, error: encode([]))


def _work(data: bytes) -> bytes:
    """Facts of each item as the cache keeps them; empty for one that could not be read, or that ended its reader."""
    items = decode_items(data)
    results = [b""] * len(items)
    for at, result in map_in_workers(items, _read, 1, lambda item: len(item[1]) + 2_000, CHUNK_BYTES):
        if isinstance(result, bytes):
            results[at] = result
    return encode(results)


def _read(item: Item) -> bytes:
    language, content = item
    signal.setitimer(signal.ITIMER_PROF, allowed_seconds(len(content)))
    try:
        return encoded_facts(by_id[language], content, allowed_seconds)
    except (Unreadable, UnicodeEncodeError, OverflowError):
        return b""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
