"""Features without which Cargo does not compile a file: a test run without them passes, and runs nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, dirname, join

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.workflows.briefing.command import is_below, read_if_present, stem, table_in, texts_in, value_in

_ROOTS = ("lib.rs", "main.rs")
_FOLDER_MODULE = "mod.rs"
_INNER_CONDITION = regex(r"(?m)^#!\[cfg\(([^\]\n]{1,300})\)\]")
# Attributes above the declaration of a module: `#[cfg(feature = "v4")] pub mod v4;`
_DECLARED_MODULE = regex(
    r"(?m)^[ \t]*((?:#\[[^\n]{1,300}\]\s{0,20}){0,8})(?:pub(?:\([^)\n]{1,40}\))? )?mod (\w{1,100});"
)
_CONDITION = regex(r"#\[cfg\(([^\]\n]{1,300})\)\]")
_MODULE_START = regex(r"[ \t]*(?:pub(?:\([^)\n]{1,40}\))? )?mod \w{1,100} ?\{")
_TOKEN = regex(r'\w+|"[^"\n]*"|[(),=]')
_MAX_TESTS = 50  # of a file, whose conditions are read
_MAX_DEPTH = 12  # of modules in each other, and of conditions


def missing_features(repo: Repo, crate: str, manifest: Mapping[str, object], path: str) -> set[str]:
    """The features of a crate that a file needs, and that are not on by default."""
    features = table_in(manifest, "features")
    dependencies = table_in(manifest, "dependencies")
    optional = {name for name in dependencies if value_in(dependencies, name, "optional") is True}
    known = {*features, *optional}  # an optional dependency is a feature too
    if not known or not is_below(crate, path):
        return set()
    enabled = _with_implied(features, {"default"})
    needed = _features_for_all(_conditions_of(repo, crate, path), enabled)
    each_test = (
        _features_for_all(conditions, enabled | needed) & known
        for conditions in _conditions_of_tests(repo, path)
    )
    needed |= min(each_test, key=len, default=set())  # without them, none of its own tests is compiled
    return (needed & known) - enabled


def _with_implied(features: Mapping[str, object], names: set[str]) -> set[str]:
    """The features with all that they turn on."""
    enabled: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in enabled:
            enabled.add(name)
            waiting += texts_in(features, name)
    return enabled


def _conditions_of(repo: Repo, crate: str, path: str) -> Iterator[str]:
    """The conditions under which a file is compiled: its own, then those of the modules around it."""
    for _ in range(_MAX_DEPTH):
        yield from _INNER_CONDITION.findall(_text(repo, path))
        above, module = _parent(repo, crate, path)
        if not above:
            return
        for attributes, name in _DECLARED_MODULE.findall(_text(repo, above)):
            if name == module:
                yield from _CONDITION.findall(attributes)
        path = above


def _conditions_of_tests(repo: Repo, path: str) -> Iterator[list[str]]:
    """For each of a file's own tests: the conditions above it, and above the modules around it, as far as indentation tells."""
    file = repo.files.get(path)
    tests = [function.start for function in file.facts.functions if function.is_test] if file else []
    text = _text(repo, path) if tests else ""
    lines = text.splitlines() if "feature" in text else []
    for start in tests[:_MAX_TESTS] if lines else ():
        yield _conditions_above(
            lines[: start - 1], _indentation(lines[start - 1]) if start <= len(lines) else 0
        )


def _conditions_above(lines: list[str], indentation: int) -> list[str]:
    """Conditions in the attributes at the end of `lines`, and in those of the modules around, from the inside out."""
    conditions: list[str] = []
    is_attribute = True
    for line in reversed(lines):
        if is_attribute and (found := _CONDITION.findall(line)):
            conditions += found
        elif _MODULE_START.match(line) and _indentation(line) < indentation:
            is_attribute, indentation = True, _indentation(line)
        elif not (indentation or is_attribute):
            break
        elif not line.strip() or _indentation(line) < indentation or line.rstrip().endswith(("}", ";", "{")):
            is_attribute = False
    return conditions


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parent(repo: Repo, crate: str, path: str) -> tuple[str, str]:
    """The file that declares the module of this one, and the name of the module; empty for the root of a crate."""
    folder, name = dirname(path), stem(path)
    if basename(path) in _ROOTS or folder == join(crate, "tests"):
        return "", ""
    if basename(path) == _FOLDER_MODULE:
        folder, name = dirname(folder), basename(folder)
    beside = [join(folder, root) for root in (*_ROOTS, _FOLDER_MODULE)]
    candidates = [*beside, f"{folder}.rs"]
    return next((file for file in candidates if file in repo.paths and file != path), ""), name


def _text(repo: Repo, path: str) -> str:
    return read_if_present(repo, path).decode("utf-8", "replace")


def _features_for_all(conditions: Iterable[str], enabled: set[str]) -> set[str]:
    """The features that make all conditions hold, one after the other."""
    needed: set[str] = set()
    for condition in conditions:
        needed |= _features_for(condition, enabled | needed)
    return needed


def _features_for(condition: str, enabled: set[str]) -> set[str]:
    """The features that make a condition hold; none if it holds, or if no feature decides it."""
    tokens = _TOKEN.findall(condition)
    found, _ = _parse(tokens, 0, enabled, 0)
    return found or set()


def _parse(tokens: list[str], at: int, enabled: set[str], depth: int) -> tuple[set[str] | None, int]:
    """The features that the condition at a token needs besides the enabled ones, None if it cannot hold; and where it ends."""
    word = tokens[at] if at < len(tokens) else ""
    if tokens[at + 1 : at + 2] == ["="]:
        feature = tokens[at + 2].strip('"') if at + 2 < len(tokens) else ""
        return ({feature} - enabled if word == "feature" else set()), at + 3
    if tokens[at + 1 : at + 2] != ["("] or depth == _MAX_DEPTH:
        return set(), at + 1  # `test`, `unix`
    parts: list[set[str] | None] = []
    at += 2
    while at < len(tokens) and tokens[at] != ")":
        part, at = _parse(tokens, at, enabled, depth + 1)
        parts.append(part)
        at += at < len(tokens) and tokens[at] == ","
    return _combine(word, parts), at + 1


def _combine(word: str, parts: list[set[str] | None]) -> set[str] | None:
    possible = [part for part in parts if part is not None]
    if word == "all":
        return set().union(*possible) if len(possible) == len(parts) else None
    if word == "any":
        return min(possible, key=len, default=None)  # the first of the smallest
    return set() if parts != [set()] else None  # `not`: none of our features turns one off
