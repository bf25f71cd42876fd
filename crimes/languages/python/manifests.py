"""Import roots that manifests state: where setuptools, poetry, hatch and pytest look for packages."""

from __future__ import annotations

import configparser
import posixpath
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

# Keys whose value names folders that hold packages.
_FOLDERS = (
    "tool.setuptools.packages.find.where",
    "tool.hatch.build.dev-mode-dirs",
    "tool.hatch.build.sources",
    "tool.hatch.build.targets.wheel.sources",
    "tool.pdm.build.package-dir",
    "tool.uv.build-backend.module-root",
    "tool.maturin.python-source",
)
_TEST_FOLDERS = ("tool.pytest.ini_options.pythonpath", "tool.pytest.pythonpath")
# Keys whose value names packages by their folder.
_PACKAGES = ("tool.hatch.build.packages", "tool.hatch.build.targets.wheel.packages")


class Stated(Struct, frozen=True):
    """Roots for the whole repository, and roots that only count below the folder that states them."""

    everywhere: frozenset[str]
    below: Mapping[str, tuple[str, ...]]


def stated_roots(paths: Iterable[str], read: Callable[[str], bytes]) -> Stated:
    """Folders named by any pyproject.toml or setup.cfg of the tree; a broken one names none."""
    everywhere: set[str] = set()
    tests: dict[str, tuple[str, ...]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name == "pyproject.toml":
            data = parsed_toml(path, read)
            everywhere |= _inside(folder, _pyproject(data))
            named = (
                word for key in _TEST_FOLDERS for text in _strings(at(data, key)) for word in text.split()
            )
            tests[folder] = tuple(sorted(_inside(folder, named)))
        elif name == "setup.cfg":
            everywhere |= _inside(folder, _setup_cfg(parsed_ini(path, read)))
    return Stated(frozenset(everywhere), tests)


def _inside(folder: str, roots: Iterable[str]) -> set[str]:
    return {root for root in (below(folder, written) for written in roots) if root is not None}


def below(folder: str, root: str) -> str | None:
    """`root`, as written in `folder`, counted from the tree ("" is the tree itself); None when outside it."""
    joined = posixpath.normpath(posixpath.join(folder, root))
    if joined == ".." or joined.startswith(("/", "../")):
        return None
    return "" if joined == "." else joined


def parsed_toml(path: str, read: Callable[[str], bytes]) -> Any:
    """The tables of a TOML file; none where it is broken."""
    return _parsed(tomllib.loads, path, read)


def parsed_ini(path: str, read: Callable[[str], bytes]) -> Any:
    """The sections of an INI file; none where it is broken."""
    return _parsed(_ini, path, read)


def at(data: Any, key: str) -> Any:
    """What stands under a dotted key, None where nothing does."""
    for part in key.split("."):
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _parsed(parse: Callable[[str], Any], path: str, read: Callable[[str], bytes]) -> Any:
    try:
        return parse(read(path).decode("utf-8"))
    except (OSError, ValueError, configparser.Error, RecursionError):
        return {}


def _ini(text: str) -> Any:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def _pyproject(data: Any) -> Iterator[str]:
    for key in _FOLDERS:
        yield from _strings(at(data, key))
    for key in _PACKAGES:
        yield from (posixpath.dirname(package.rstrip("/")) for package in _strings(at(data, key)))
    yield from _package_dir(at(data, "tool.setuptools.package-dir"))
    packages = at(data, "tool.poetry.packages")
    for entry in packages if isinstance(packages, list) else ():
        yield from _strings(at(entry, "from"))


def _setup_cfg(data: Any) -> Iterator[str]:
    yield from _lines(data.get("options.packages.find", {}).get("where", ""))
    entries = _lines(data.get("options", {}).get("package_dir", ""))
    pairs = (entry.partition("=") for entry in entries)
    yield from _package_dir({name.strip(): folder.strip() for name, _, folder in pairs})


def _package_dir(mapping: Any) -> Iterator[str]:
    """`{"": "src"}` is a root; `{"pkg": "lib/pkg"}` has one above it, unless the folder has another name."""
    for name, folder in mapping.items() if isinstance(mapping, dict) else ():
        if not isinstance(folder, str):
            continue
        if not name:
            yield folder
        elif f"/{folder}".endswith("/" + name.replace(".", "/")):
            yield folder[: -len(name)].rstrip("/")


def _strings(value: Any) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value if isinstance(value, (list, dict)) else []
    return tuple(item for item in items if isinstance(item, str))


def _lines(value: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in value.replace(",", "\n").splitlines() if line.strip())
