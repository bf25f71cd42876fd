"""The files of pnpm, read by lines: a few lists and tables are not worth a YAML library."""

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
    found: list[str] = []
    inside = False
    for line in source.decode("utf-8-sig", "replace").splitlines():
        if line.startswith("packages:"):
            inside = True
            found += [
                "".join(item)
                for item in _QUOTED_OR_BARE.findall(line.removeprefix("packages:").split(" #")[0])
            ]
        elif inside and (item := _ITEM.match(line)):
            found.append(item[1] or item[2] or item[3] or "")
        elif line.strip() and not line.lstrip().startswith("#") and not line.startswith(" "):
            inside = False
    return tuple(name for name in found if name)


def pnpm_importers(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """By folder ("" is the root): the direct dependencies that pnpm-lock.yaml has, with their versions.

    Newer files hold `name: {specifier, version}` below each importer, older ones `name: version`.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    forced: set[str] = set()
    way: list[tuple[int, str]] = []  # indent and key of the tables around a line
    for line in text.splitlines():
        entry = _ENTRY.fullmatch(line.rstrip())
        if entry is None:
            continue
        indent = len(entry["indent"])
        key = entry["quoted"] or entry["double"] or entry["bare"] or ""
        while way and way[-1][0] >= indent:
            way.pop()
        if indent == 0 and key == "packages":
            break  # what follows is every package there is
        way.append((indent, key))
        keys = [name for _, name in way]
        if keys[0] == "overrides" and len(keys) == 2:
            forced.add(re.sub(r"(?<=.)@.*", "", key.rpartition(">")[2]))
        folder = (
            "." if keys[0] in _SECTIONS else keys[1] if keys[0] == "importers" and len(keys) > 1 else None
        )
        if folder is None:
            continue
        inner = keys if keys[0] in _SECTIONS else keys[2:]
        table = found.setdefault("" if folder == "." else folder, {})
        if len(inner) >= 2 and inner[0] in _SECTIONS:
            table.setdefault(inner[1], ("",))
            if (entry["value"] and len(inner) == 2) or inner[2:] == ["version"]:
                table[inner[1]] = ((entry["value"] or "").strip("'\"").partition("(")[0].partition("_")[0],)
    # What is forced to another version need not fit what is asked for.
    return {
        folder: {name: ("",) if name in forced else version for name, version in table.items()}
        for folder, table in found.items()
    }
