"""Dependencies of Python manifests: pyproject.toml, setup.cfg, setup.py, requirements files, Pipfile, conda environments.

Nothing is run: every string of setup.py that looks like a requirement counts as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from crimes.languages.linking.manifest import Manifest, Requirement
from crimes.languages.linking.manifest_files import at, manifest_text, read_toml
from crimes.languages.python.manifests import read_ini
from crimes.model.lazy_regex import regex

_REQUIREMENT = regex(
    r"\s*+(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*+(?:\[[^\]]*+\])?\s*+"
    r"(?P<versions>\(?\s*+(?:===|[<>=!~]=?|@)[^;#]*+)?(?:[;#].*)?$"
)
_STRING = regex(r"""(['"])((?:(?!\1)[^\\\n])*)\1""")
_EGG = regex(r"#egg=([A-Za-z0-9._-]+)")
_SEPARATORS = regex(r"[-_.]+")
_REQUIREMENT_FILE = regex(
    r"(?:[\w.-]*(?:requirements|requires|constraints|deps)[\w.-]*|pip[\w-]*)\.(?:txt|in)", within=300
)
_REQUIREMENT_FOLDER = regex(r"[\w.-]*(?:requirements|requires|deps)[\w.-]*", within=300)
_ENVIRONMENT = regex(r"[\w.-]*env(?:ironment)?[\w.-]*\.ya?ml", within=300)
_YAML_ITEM = regex(r"^[ \t]*-[ \t]+['\"]?([^\s'\"#:]+[^'\"#:\n]*)", re.MULTILINE)
_MAX_REQUIREMENT_CHARS = 500
_CFG_LISTS = ("install_requires", "setup_requires", "tests_require")


def canonical_name(name: str) -> str:
    """A distribution's name as the index compares it."""
    return _SEPARATORS.sub("-", name).lower()


def read_manifests(paths: Iterable[str], read: Callable[[str], bytes]) -> tuple[Manifest, ...]:
    """Every readable manifest of the tree with at least one dependency, by path."""
    manifests = []
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        above, _, folder_name = folder.rpartition("/")
        if name == "pyproject.toml":
            requirements = list(_pyproject(read_toml(path, read)))
        elif name == "setup.cfg":
            requirements = list(_setup_cfg(read_ini(path, read)))
        elif name == "setup.py":
            requirements = list(_parse_all(match[1] for match in _STRING.findall(manifest_text(path, read))))
        elif name == "Pipfile":
            requirements = list(_pipfile(read_toml(path, read)))
        elif not name.endswith((".yml", ".yaml", ".txt", ".in")):
            continue
        elif _ENVIRONMENT.fullmatch(name):
            requirements = list(_parse_all(_YAML_ITEM.findall(manifest_text(path, read))))
        elif _REQUIREMENT_FILE.fullmatch(name):
            requirements = list(_requirements_file(manifest_text(path, read)))
        elif name.endswith((".txt", ".in")) and _REQUIREMENT_FOLDER.fullmatch(folder_name):
            folder, requirements = above, list(_requirements_file(manifest_text(path, read)))
        else:
            continue
        if requirements:
            manifests.append(Manifest(path, folder, tuple(requirements)))
    return tuple(manifests)


def pyproject_dependencies(data: Any) -> Iterator[Requirement]:
    """Dependencies of a pyproject.toml that a lockfile holds: all but the build tools."""
    lists = [at(data, "project.dependencies"), at(data, "tool.uv.dev-dependencies")]
    for key in ("project.optional-dependencies", "dependency-groups", "tool.pdm.dev-dependencies"):
        lists += _values(at(data, key))
    for listed in lists:
        yield from _parse_all(listed if isinstance(listed, list) else ())
    groups = [at(group, "dependencies") for group in _values(at(data, "tool.poetry.group"))]
    for table in (at(data, "tool.poetry.dependencies"), at(data, "tool.poetry.dev-dependencies"), *groups):
        yield from table_dependencies(table)


def table_dependencies(table: Any) -> Iterator[Requirement]:
    """Dependencies written as `name = "^1.0"` or `name = { version = "^1.0" }`."""
    for name, spec in table.items() if isinstance(table, dict) else ():
        versions = spec if isinstance(spec, str) else at(spec, "version")
        yield Requirement(
            canonical_name(name), versions if isinstance(versions, str) else "", isinstance(spec, dict | list)
        )


def _parse_requirement(text: str) -> Requirement | None:
    match = _REQUIREMENT.match(text) if len(text) <= _MAX_REQUIREMENT_CHARS else None
    if match is None:
        return None
    return Requirement(canonical_name(match["name"]), (match["versions"] or "").strip(" ()"), ";" in text)


def _parse_all(texts: Iterable[Any]) -> Iterator[Requirement]:
    for text in texts:
        if isinstance(text, str) and (requirement := _parse_requirement(text)):
            yield requirement


def _requirements_file(text: str) -> Iterator[Requirement]:
    for line in text.replace("\\\n", " ").splitlines():
        entry = line.partition(" --")[0]
        if egg := _EGG.search(entry):
            yield Requirement(canonical_name(egg[1]))
        elif requirement := _parse_requirement(entry):
            yield requirement


def _pyproject(data: Any) -> Iterator[Requirement]:
    yield from pyproject_dependencies(data)
    lists = [at(data, "build-system.requires")]
    for environment in _values(at(data, "tool.hatch.envs")):
        lists += [at(environment, "dependencies"), at(environment, "extra-dependencies")]
    for listed in lists:
        yield from _parse_all(listed if isinstance(listed, list) else ())


def _pipfile(data: Any) -> Iterator[Requirement]:
    for table in _values(data):
        yield from table_dependencies(table)


def _setup_cfg(data: Any) -> Iterator[Requirement]:
    options = data.get("options", {})
    for text in (
        *(options.get(key, "") for key in _CFG_LISTS),
        *data.get("options.extras_require", {}).values(),
    ):
        yield from _parse_all(text.replace(",\n", "\n").splitlines())


def _values(table: Any) -> list[Any]:
    return list(table.values()) if isinstance(table, dict) else []
