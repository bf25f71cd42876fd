"""go.mod held against go.sum: the sum of every module asked for has to be there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from crimes.languages.go.modules import directives
from crimes.languages.linking.manifest import Asked, Pin, named, pin, text_of


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """What modules ask for, with the versions whose sums are kept; what is replaced is taken from elsewhere."""
    shared = named(paths, "go.work.sum")
    for lock in named(paths, "go.sum"):
        manifest = posixpath.join(posixpath.dirname(lock), "go.mod")
        if manifest not in paths:
            continue
        sums: dict[str, set[str]] = {}
        for line in (line for path in (lock, *shared) for line in text_of(path, read).splitlines()):
            module, _, rest = line.partition(" ")
            sums.setdefault(module, set()).add(rest.partition(" ")[0].removesuffix("/go.mod"))
        said = directives(manifest, read)
        replaced = {words[0] for words in said["replace"]}
        for words in said["require"]:
            if len(words) > 1 and words[0] not in replaced:
                known = sums.get(words[0], set())
                fitting = pin(manifest, lock, Asked(words[0], words[1]), known, None)
                wrong = known and words[1] not in known
                yield Pin(manifest, lock, words[0], words[1], fitting.locked, False) if wrong else fitting
