"""What Python manifests ask for: pyproject.toml, setup.cfg, setup.py, requirements files, Pipfile, conda environments.

Programs among them are not run: what looks like a requirement in a text of setup.py counts as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from crimes.languages.linking.manifest import Asked, Manifest, text_of
from crimes.languages.python.manifests import at, parsed_ini, parsed_toml
from crimes.model.lazy_regex import regex

_REQUIREMENT = regex(
    r"\s*(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*"
    r"(?P<versions>\(?\s*(?:===|[<>=!~]=?|@)[^;#]*)?(?:[;#].*)?$"
)
_TEXT = regex(r"""(['"])((?:(?!\1)[^\\\n])*)\1""")
_EGG = regex(r"#egg=([A-Za-z0-9._-]+)")
_SEPARATORS = regex(r"[-_.]+")
_REQUIREMENT_FILE = regex(
    r"(?:[\w.-]*(?:requirements|requires|constraints|deps)[\w.-]*|pip[\w-]*)\.(?:txt|in)"
)
_REQUIREMENT_FOLDER = regex(r"[\w.-]*(?:requirements|requires|deps)[\w.-]*")
_ENVIRONMENT = regex(r"[\w.-]*env(?:ironment)?[\w.-]*\.ya?ml")
_LISTED = regex(r"^[ \t]*-[ \t]+['\"]?([^\s'\"#:]+[^'\"#:\n]*)", re.MULTILINE)
_LONGEST = 500  # no requirement has as many characters
_CFG_LISTS = ("install_requires", "setup_requires", "tests_require")


def canonical(name: str) -> str:
    """A distribution's name as the index compares it."""
    return _SEPARATORS.sub("-", name).lower()


def requirements(paths: Iterable[str], read: Callable[[str], bytes]) -> tuple[Manifest, ...]:
    """Every manifest of the tree that can be read, by path. One that asks for nothing is left out."""
    found = []
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        above, _, own = folder.rpartition("/")
        if name == "pyproject.toml":
            asks = list(_pyproject(parsed_toml(path, read)))
        elif name == "setup.cfg":
            asks = list(_setup_cfg(parsed_ini(path, read)))
        elif name == "setup.py":
            asks = list(_parsed(text[1] for text in _TEXT.findall(text_of(path, read))))
        elif name == "Pipfile":
            asks = list(_pipfile(parsed_toml(path, read)))
        elif _ENVIRONMENT.fullmatch(name):
            asks = list(_parsed(_LISTED.findall(text_of(path, read))))
        elif _REQUIREMENT_FILE.fullmatch(name):
            asks = list(_lines(text_of(path, read)))
        elif name.endswith((".txt", ".in")) and _REQUIREMENT_FOLDER.fullmatch(own):
            folder, asks = above, list(_lines(text_of(path, read)))
        else:
            continue
        if asks:
            found.append(Manifest(path, folder, tuple(asks)))
    return tuple(found)


def installed(data: Any) -> Iterator[Asked]:
    """What a pyproject.toml asks for besides the tools that build it: all that a lockfile holds."""
    lists = [at(data, "project.dependencies"), at(data, "tool.uv.dev-dependencies")]
    for key in ("project.optional-dependencies", "dependency-groups", "tool.pdm.dev-dependencies"):
        lists += _values(at(data, key))
    for listed in lists:
        yield from _parsed(listed if isinstance(listed, list) else ())
    groups = [at(group, "dependencies") for group in _values(at(data, "tool.poetry.group"))]
    for table in (at(data, "tool.poetry.dependencies"), at(data, "tool.poetry.dev-dependencies"), *groups):
        yield from tabled(table)


def tabled(table: Any) -> Iterator[Asked]:
    """`name = "^1.0"` or `name = { version = "^1.0" }`."""
    for name, spec in table.items() if isinstance(table, dict) else ():
        versions = spec if isinstance(spec, str) else at(spec, "version")
        yield Asked(
            canonical(name), versions if isinstance(versions, str) else "", isinstance(spec, dict | list)
        )


def _asked(text: str) -> Asked | None:
    found = _REQUIREMENT.match(text) if len(text) <= _LONGEST else None
    if found is None:
        return None
    return Asked(canonical(found["name"]), (found["versions"] or "").strip(" ()"), ";" in text)


def _parsed(texts: Iterable[Any]) -> Iterator[Asked]:
    for text in texts:
        if isinstance(text, str) and (found := _asked(text)):
            yield found


def _lines(text: str) -> Iterator[Asked]:
    for line in text.replace("\\\n", " ").splitlines():
        written = line.partition(" --")[0]
        if egg := _EGG.search(written):
            yield Asked(canonical(egg[1]))
        elif found := _asked(written):
            yield found


def _pyproject(data: Any) -> Iterator[Asked]:
    yield from installed(data)
    lists = [at(data, "build-system.requires")]
    for environment in _values(at(data, "tool.hatch.envs")):
        lists += [at(environment, "dependencies"), at(environment, "extra-dependencies")]
    for listed in lists:
        yield from _parsed(listed if isinstance(listed, list) else ())


def _pipfile(data: Any) -> Iterator[Asked]:
    for table in _values(data):
        yield from tabled(table)


def _setup_cfg(data: Any) -> Iterator[Asked]:
    options = data.get("options", {})
    for text in (
        *(options.get(key, "") for key in _CFG_LISTS),
        *data.get("options.extras_require", {}).values(),
    ):
        yield from _parsed(text.replace(",\n", "\n").splitlines())


def _values(table: Any) -> list[Any]:
    return list(table.values()) if isinstance(table, dict) else []
