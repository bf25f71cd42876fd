"""Where Ruby looks for files: load paths, folders whose files are loaded by their constants, and gems that are asked for.

A load path is a `lib` folder, what a gemspec states, a configured root, or the `spec` or `test` folder a test stands in.
A file searches those of its own project first. What lies below a test folder serves the tests beside it only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from crimes.languages.spec import ResolveInput
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

_TEST_NAME = regex(r"(?:_spec|_test|_steps)\.rb$|^test_[^/]*\.rb$|^(?:spec|test|rails)_helper\.rb$")
_TEST_FOLDERS = frozenset({"spec", "specs", "test", "tests", "features", "fixtures"})
_CODE_FOLDERS = frozenset({"lib", "app"})
_NAMED_GEM = regex(
    rb"""^\s*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[\s(]+["']([\w.-]+)["']""", re.MULTILINE
)
_LOCKED_GEM = regex(rb"^ {4}([\w.-]+) \(", re.MULTILINE)
_OWN_NAME = regex(rb"""^\s*\w+\.name\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_REQUIRE_PATHS = regex(rb"""require_paths?\s*=\s*(?:\[|%w[\[(])?([^\]\n)]*)""")
_WORD = regex(r"[\w./-]+")
_LOADS_LIB = regex(rb"autoload_lib\b|(?:autoload|eager_load)_paths[^\n]*\blib\b")


def is_test_path(path: str) -> bool:
    """Specs, tests and features by name or folder; a `test` folder below `lib` or `app` is code about tests."""
    *folders, name = path.split("/")
    if _TEST_NAME.search(name):
        return True
    return any(folder in _TEST_FOLDERS for folder in _before_code(folders))


def _before_code(folders: list[str]) -> Iterator[str]:
    for folder in folders:
        if folder in _CODE_FOLDERS:
            return
        yield folder


def plain(name: str) -> str:
    """A constant or a path without what inflection changes: `Html::ParserBase` and `html/parser_base` are the same."""
    return name.replace("::", "/").replace(".", "/").replace("_", "").lower()


class Layout:
    """The load paths of a tree and the gems around it."""

    def __init__(self, given: ResolveInput) -> None:
        self._ruby = frozenset(path for path in given.paths if path.endswith(".rb"))
        libs = _rooted(self._ruby, ("lib",)) | set(given.roots) | _stated(given)
        self.loaded = _autoloaded(given, self._ruby)
        self._tests = _rooted(self._ruby, ("spec", "test"))
        self._roots = sorted(libs | self._tests | {""})
        self.gems, self._own = _gems(given.paths, given.read)
        self.owned = frozenset(
            plain(path.rpartition("/")[2][:-3]) for path in self._ruby if path.rpartition("/")[0] in libs
        )
        self._searched: dict[str, tuple[str, ...]] = {}

    def search(self, folder: str) -> tuple[str, ...]:
        """Load paths for the files of a folder, the nearest first, `lib` before tests."""
        if folder not in self._searched:
            seen = [root for root in self._roots if is_visible(root, folder)]
            seen.sort(key=lambda root: (-shared(root, folder), root in self._tests, root))
            self._searched[folder] = tuple(seen)
        return self._searched[folder]

    def gem(self, name: str) -> str:
        """The gem that a required name belongs to, as far as a manifest says; never one that is made here."""
        parts = name.split("/")
        for length in range(len(parts), 0, -1):
            found = self.gems.get(_squeezed("".join(parts[:length])), "")
            if found and found not in self._own:
                return found
        return ""


def _rooted(paths: Iterable[str], names: tuple[str, ...]) -> set[str]:
    """The outermost folders with one of these names."""
    found: set[str] = set()
    for path in paths:
        folders = path.split("/")[:-1]
        at = next((index for index, folder in enumerate(folders) if folder in names), None)
        if at is not None:
            found.add("/".join(folders[: at + 1]))
    return found


def _stated(given: ResolveInput) -> set[str]:
    """Folders that a gemspec puts on the load path."""
    found: set[str] = set()
    for path in given.paths:
        if path.endswith(".gemspec"):
            folder = path.rpartition("/")[0]
            for stated in _REQUIRE_PATHS.findall(_read(path, given.read)):
                for word in _WORD.findall(stated.decode("utf-8", "replace")):
                    if not word.startswith((".", "/")) and ".." not in word:
                        found.add(f"{folder}/{word}".strip("/"))
    return found


def _autoloaded(given: ResolveInput, ruby: frozenset[str]) -> tuple[str, ...]:
    """Folders whose paths say their constants: those below a Rails `app`, and `lib` where a loader is set up for it."""
    found: set[str] = set()
    for path in ruby:
        parts = path.split("/")
        for at, folder in enumerate(parts[:-2]):
            if folder == "app":
                found.add("/".join(parts[: at + 2]))
                if "concerns" in parts[at + 2 : at + 3]:
                    found.add("/".join(parts[: at + 3]))
                break
    for path, facts in given.facts.items():
        if _makes_loader(facts) or (
            path.endswith("config/application.rb") and _LOADS_LIB.search(_read(path, given.read))
        ):
            base = (
                path.rpartition("lib/")[0] if "lib/" in path else path.removesuffix("config/application.rb")
            )
            found.add(f"{base}lib")
    return tuple(sorted(found))


def _makes_loader(facts: FileFacts) -> bool:
    return any(call.target.startswith("Zeitwerk::Loader.") for call in facts.calls)


def _gems(paths: Iterable[str], read: Callable[[str], bytes]) -> tuple[dict[str, str], frozenset[str]]:
    """Gems that manifests name, by their squeezed name; and those that are made in this tree."""
    gems: dict[str, str] = {}
    own: set[str] = set()
    for path in sorted(paths):
        name = path.rpartition("/")[2]
        if name in ("Gemfile", "Gemfile.lock", "gems.rb", "gems.locked") or name.endswith(".gemspec"):
            text = _read(path, read)
            for gem in (*_NAMED_GEM.findall(text), *_LOCKED_GEM.findall(text)):
                gems.setdefault(_squeezed(gem.decode()), gem.decode())
            if name.endswith(".gemspec"):
                own.add(name.removesuffix(".gemspec"))
                own.update(found.decode() for found in _OWN_NAME.findall(text))
    return gems, frozenset(own)


def _squeezed(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _read(path: str, read: Callable[[str], bytes]) -> bytes:
    try:
        return read(path)
    except OSError:
        return b""


def is_visible(root: str, folder: str) -> bool:
    """Whether no test folder lies between a file and a load path, except the one the file stands in itself."""
    way = root.split("/")
    return not any(part in _TEST_FOLDERS for part in way[shared(root, folder) :])


def shared(root: str, folder: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for left, right in zip(root.split("/") if root else (), folder.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count
