"""Where Ruby looks for files: load paths, autoloaded folders, and required gems.

A load path is a `lib` folder, one that a gemspec declares, a configured root, or the `spec` or `test` folder of a test.
A file searches those of its own project first. Files below a test folder are visible only to the tests beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from crimes.languages.linking.tree_paths import shared_folders
from crimes.languages.spec import ResolveInput
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

_TEST_NAME = regex(r"(?:_spec|_test|_steps)\.rb$|^test_[^/]*\.rb$|^(?:spec|test|rails)_helper\.rb$")
_TEST_FOLDERS = frozenset({"spec", "specs", "test", "tests", "features", "fixtures"})
_CODE_FOLDERS = frozenset({"lib", "app"})
_NAMED_GEM = regex(
    rb"""^[ \t]*+(?:gem|\w++\.add_(?:runtime_|development_)?dependency)[\s(]++["']([\w.-]++)["']""",
    re.MULTILINE,
)
_LOCKED_GEM = regex(rb"^ {4}([\w.-]+) \(", re.MULTILINE)
_OWN_NAME = regex(rb"""^[ \t]*+\w++\.name[ \t]*+=\s*+["']([\w.-]++)["']""", re.MULTILINE)
_REQUIRE_PATHS = regex(rb"""require_paths?\s*=\s*(?:\[|%w[\[(])?([^\]\n)]*)""")
_WORD = regex(r"[\w./-]+")
_LOADS_LIB = regex(rb"autoload_lib\b|(?:autoload|eager_load)_paths[^\n]{0,200}\blib\b")


def is_test_path(path: str) -> bool:
    """Whether a file is a test by name or folder; a `test` folder below `lib` or `app` is production code."""
    *folders, name = path.split("/")
    if _TEST_NAME.search(name):
        return True
    return any(folder in _TEST_FOLDERS for folder in _before_code(folders))


def _before_code(folders: list[str]) -> Iterator[str]:
    for folder in folders:
        if folder in _CODE_FOLDERS:
            return
        yield folder


def inflection_key(name: str) -> str:
    """A key for constants and paths that ignores inflection: `Html::ParserBase` and `html/parser_base` share one."""
    return name.replace("::", "/").replace(".", "/").replace("_", "").lower()


class Layout:
    """The load paths of a tree, and the gems it uses."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._ruby = frozenset(path for path in inputs.paths if path.endswith(".rb"))
        libs = _outermost_folders(self._ruby, ("lib",)) | set(inputs.roots) | _gemspec_load_paths(inputs)
        self.autoloaded = _autoloaded_folders(inputs, self._ruby)
        self._test_roots = _outermost_folders(self._ruby, ("spec", "test"))
        self._roots = sorted(libs | self._test_roots | {""})
        self._gems, self._own_gems = _read_gems(inputs.paths, inputs.read)
        self.own_names = frozenset(
            inflection_key(path.rpartition("/")[2][:-3])
            for path in self._ruby
            if path.rpartition("/")[0] in libs
        )
        self._load_paths: dict[str, tuple[str, ...]] = {}

    def load_paths(self, folder: str) -> tuple[str, ...]:
        """Load paths for the files of a folder, nearest first, `lib` before tests."""
        if folder not in self._load_paths:
            roots = [root for root in self._roots if is_visible(root, folder)]
            roots.sort(key=lambda root: (-shared_folders(root, folder), root in self._test_roots, root))
            self._load_paths[folder] = tuple(roots)
        return self._load_paths[folder]

    def gem_of(self, name: str) -> str:
        """The gem that manifests name for a required path, unless the tree defines it; else empty."""
        parts = name.split("/")
        for length in range(len(parts), 0, -1):
            gem = self._gems.get(_gem_key("".join(parts[:length])), "")
            if gem and gem not in self._own_gems:
                return gem
        return ""


def _outermost_folders(paths: Iterable[str], names: tuple[str, ...]) -> set[str]:
    """The outermost folders with one of these names."""
    outermost: set[str] = set()
    for path in paths:
        folders = path.split("/")[:-1]
        at = next((index for index, folder in enumerate(folders) if folder in names), None)
        if at is not None:
            outermost.add("/".join(folders[: at + 1]))
    return outermost


def _gemspec_load_paths(inputs: ResolveInput) -> set[str]:
    """Folders that gemspecs put on the load path."""
    load_paths: set[str] = set()
    for path in inputs.paths:
        if path.endswith(".gemspec"):
            folder = path.rpartition("/")[0]
            for value in _REQUIRE_PATHS.findall(_read(path, inputs.read)):
                for word in _WORD.findall(value.decode("utf-8", "replace")):
                    if not word.startswith((".", "/")) and ".." not in word:
                        load_paths.add(f"{folder}/{word}".strip("/"))
    return load_paths


def _autoloaded_folders(inputs: ResolveInput, ruby: frozenset[str]) -> tuple[str, ...]:
    """Folders whose paths give their constants: those below a Rails `app`, and `lib` if a loader is set up for it."""
    autoloaded: set[str] = set()
    for path in ruby:
        parts = path.split("/")
        for at, folder in enumerate(parts[:-2]):
            if folder == "app":
                autoloaded.add("/".join(parts[: at + 2]))
                if "concerns" in parts[at + 2 : at + 3]:
                    autoloaded.add("/".join(parts[: at + 3]))
                break
    for path, facts in inputs.facts.items():
        if _makes_loader(facts) or (
            path.endswith("config/application.rb") and _LOADS_LIB.search(_read(path, inputs.read))
        ):
            base = (
                path.rpartition("lib/")[0] if "lib/" in path else path.removesuffix("config/application.rb")
            )
            autoloaded.add(f"{base}lib")
    return tuple(sorted(autoloaded))


def _makes_loader(facts: FileFacts) -> bool:
    return any(call.target.startswith("Zeitwerk::Loader.") for call in facts.calls)


def _read_gems(paths: Iterable[str], read: Callable[[str], bytes]) -> tuple[dict[str, str], frozenset[str]]:
    """Gems that manifests name, by their key, and the names of gems that the tree defines."""
    gems: dict[str, str] = {}
    own: set[str] = set()
    for path in sorted(paths):
        name = path.rpartition("/")[2]
        if name in ("Gemfile", "Gemfile.lock", "gems.rb", "gems.locked") or name.endswith(".gemspec"):
            text = _read(path, read)
            for gem in (*_NAMED_GEM.findall(text), *_LOCKED_GEM.findall(text)):
                gems.setdefault(_gem_key(gem.decode()), gem.decode())
            if name.endswith(".gemspec"):
                own.add(name.removesuffix(".gemspec"))
                own.update(gem_name.decode() for gem_name in _OWN_NAME.findall(text))
    return gems, frozenset(own)


def _gem_key(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _read(path: str, read: Callable[[str], bytes]) -> bytes:
    try:
        return read(path)
    except OSError:
        return b""


def is_visible(root: str, folder: str) -> bool:
    """Whether files of `folder` see `root`: not if it is below a test folder that they are not in themselves."""
    parts = root.split("/")
    return not any(part in _TEST_FOLDERS for part in parts[shared_folders(root, folder) :])
