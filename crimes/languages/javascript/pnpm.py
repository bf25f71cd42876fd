"""The files of pnpm, read line by line: a few lists and tables do not need a YAML library."""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex

_ITEM = regex(r"""\s*-\s+(?:'([^']*)'|"([^"]*)"|([^\s#]+))""")
_QUOTED_OR_BARE = regex(r"""'([^']*)'|"([^"]*)"|([^\s,'"\[\]#]+)""")
_ENTRY = regex(
    r"""(?P<indent> *)(?:'(?P<quoted>[^']+)'|"(?P<double>[^"]+)"|(?P<bare>[^\s:'"#][^:]*)):(?: (?P<value>.*))?"""
)
_SECTIONS = frozenset({"dependencies", "devDependencies", "optionalDependencies"})


def pnpm_packages(source: bytes) -> tuple[str, ...]:
    """The `packages:` list of pnpm-workspace.yaml."""
    patterns: list[str] = []
    inside = False
    for line in source.decode("utf-8-sig", "replace").splitlines():
        if line.startswith("packages:"):
            inside = True
            listed = line.removeprefix("packages:").split(" #")[0]
            patterns += ["".join(item) for item in _QUOTED_OR_BARE.findall(listed)]
        elif inside and (item := _ITEM.match(line)):
            patterns.append(item[1] or item[2] or item[3] or "")
        elif line.strip() and not line.lstrip().startswith("#") and not line.startswith(" "):
            inside = False
    return tuple(pattern for pattern in patterns if pattern)


def pnpm_importers(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Direct dependencies in pnpm-lock.yaml with their versions, by folder ("" is the root).

    A first document of the file may hold pnpm itself; the dependencies are in the second.

    Newer files hold `name: {specifier, version}` below each importer, older ones `name: version`.
    """
    by_folder: dict[str, dict[str, tuple[str, ...]]] = {}
    overridden: set[str] = set()
    parents: list[tuple[int, str]] = []  # indent and key of the tables around a line
    is_past = False  # where all packages are listed, direct or not: until the end of the document
    for line in text.splitlines():
        if line == "---":
            parents, is_past = [], False
        if is_past:
            continue
        entry = _ENTRY.fullmatch(line.rstrip())
        if entry is None:
            continue
        indent = len(entry["indent"])
        key = entry["quoted"] or entry["double"] or entry["bare"] or ""
        while parents and parents[-1][0] >= indent:
            parents.pop()
        if indent == 0 and key == "packages":
            is_past = True
            continue
        parents.append((indent, key))
        keys = [name for _, name in parents]
        if keys[0] == "overrides" and len(keys) == 2:
            overridden.add(re.sub(r"(?<=.)@.*", "", key.rpartition(">")[2]))
        if keys[0] in _SECTIONS:
            folder, inner = ".", keys
        elif keys[0] == "importers" and len(keys) > 1:
            folder, inner = keys[1], keys[2:]
        else:
            continue
        table = by_folder.setdefault("" if folder == "." else folder, {})
        if len(inner) >= 2 and inner[0] in _SECTIONS:
            table.setdefault(inner[1], ("",))
            if (entry["value"] and len(inner) == 2) or inner[2:] == ["version"]:
                table[inner[1]] = ((entry["value"] or "").strip("'\"").partition("(")[0].partition("_")[0],)
    # An overridden version need not fit the one asked for.
    return {
        folder: {name: ("",) if name in overridden else version for name, version in table.items()}
        for folder, table in by_folder.items()
    }
