"""Import roots that manifests state: where setuptools, poetry, hatch and pytest look for packages."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from crimes.languages.linking.manifest_files import at, read_toml
from crimes.languages.linking.tree_paths import join_inside
from crimes.model.safe_parsing import parse_ini

# Keys whose value lists folders that hold packages.
_ROOT_KEYS = (
    "tool.setuptools.packages.find.where",
    "tool.hatch.build.dev-mode-dirs",
    "tool.hatch.build.sources",
    "tool.hatch.build.targets.wheel.sources",
    "tool.pdm.build.package-dir",
    "tool.uv.build-backend.module-root",
    "tool.maturin.python-source",
)
_TEST_ROOT_KEYS = ("tool.pytest.ini_options.pythonpath", "tool.pytest.pythonpath")
# Keys whose value lists the folders of packages.
_PACKAGE_KEYS = ("tool.hatch.build.packages", "tool.hatch.build.targets.wheel.packages")


class ImportRoots(Struct, frozen=True):
    """Roots for the whole repository, and roots that only count below the folder that states them."""

    everywhere: frozenset[str]
    by_folder: Mapping[str, tuple[str, ...]]


def stated_roots(paths: Iterable[str], read: Callable[[str], bytes]) -> ImportRoots:
    """Folders that any pyproject.toml or setup.cfg of the tree names; a broken file names none."""
    everywhere: set[str] = set()
    test_roots: dict[str, tuple[str, ...]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name == "pyproject.toml":
            data = read_toml(path, read)
            everywhere |= _resolve_all(folder, _pyproject_roots(data))
            words = (
                word for key in _TEST_ROOT_KEYS for text in _strings(at(data, key)) for word in text.split()
            )
            test_roots[folder] = tuple(sorted(_resolve_all(folder, words)))
        elif name == "setup.cfg":
            everywhere |= _resolve_all(folder, _setup_cfg_roots(read_ini(path, read)))
    return ImportRoots(everywhere=frozenset(everywhere), by_folder=test_roots)


def _resolve_all(folder: str, roots: Iterable[str]) -> set[str]:
    resolved = (join_inside(folder, root) for root in roots)
    return {root for root in resolved if root is not None}


def read_ini(path: str, read: Callable[[str], bytes]) -> dict[str, dict[str, str]]:
    """The sections of an INI file; none if it is broken."""
    try:
        return parse_ini(read(path).decode("utf-8"))
    except (OSError, ValueError):
        return {}


def _pyproject_roots(data: Any) -> Iterator[str]:
    for key in _ROOT_KEYS:
        yield from _strings(at(data, key))
    for key in _PACKAGE_KEYS:
        yield from (posixpath.dirname(package.rstrip("/")) for package in _strings(at(data, key)))
    yield from _package_dir_roots(at(data, "tool.setuptools.package-dir"))
    packages = at(data, "tool.poetry.packages")
    for entry in packages if isinstance(packages, list) else ():
        yield from _strings(at(entry, "from"))


def _setup_cfg_roots(data: Any) -> Iterator[str]:
    yield from _lines(data.get("options.packages.find", {}).get("where", ""))
    entries = _lines(data.get("options", {}).get("package_dir", ""))
    pairs = (entry.partition("=") for entry in entries)
    yield from _package_dir_roots({name.strip(): folder.strip() for name, _, folder in pairs})


def _package_dir_roots(mapping: Any) -> Iterator[str]:
    """Roots of a mapping: `src` of `{"": "src"}`, `lib` of `{"pkg": "lib/pkg"}`, none of `{"pkg": "lib/other"}`."""
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
