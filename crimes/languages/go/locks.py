"""go.mod compared with go.sum: every required module needs a checksum."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crimes.languages.go.modules import read_directives
from crimes.languages.linking.manifest import Pin, Requirement, check_pin
from crimes.languages.linking.manifest_files import files_named, lock_pairs, manifest_text


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """Required modules with the versions that have a checksum. Replaced modules come from elsewhere and are left out."""
    workspace_sums = files_named(paths, "go.work.sum")
    for lock, manifest in lock_pairs(paths, "go.sum", "go.mod"):
        sums: dict[str, set[str]] = {}
        for path in (lock, *workspace_sums):
            for line in manifest_text(path, read).splitlines():
                module, _, rest = line.partition(" ")
                sums.setdefault(module, set()).add(rest.partition(" ")[0].removesuffix("/go.mod"))
        directives = read_directives(manifest, read)
        replaced = {words[0] for words in directives["replace"]}
        for module, version, *_ in (words for words in directives["require"] if len(words) > 1):
            if module not in replaced:
                versions = sums.get(module, set())
                pin = check_pin(manifest, lock, Requirement(module, version), versions, None)
                differs = versions and version not in versions
                yield Pin(manifest, lock, module, version, pin.locked, fits=False) if differs else pin
