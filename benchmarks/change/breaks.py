"""Breaks to make in a checkout: what is deleted, renamed, moved, hidden or changed, while its users stay as they are."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from benchmarks.change.plain_text import Definition, PlainText

KINDS = (
    "delete a file",
    "rename a function",
    "rename a class",
    "rename a method",
    "rename a constant",
    "move a file",
    "drop an export",
    "add a parameter",
)
SIGNATURE = "add a parameter"
_PACKAGE = re.compile(r"^(package|namespace) ([\w.\\]+)", re.MULTILINE)
_PATHS_ARE_NAMES = frozenset({"python", "javascript", "typescript", "go", "rust", "c", "cpp"})
_PACKAGES_ARE_NAMES = frozenset({"java", "kotlin", "scala", "csharp", "php"})
_PARAMETERS = {
    "python": "extra_needed", "javascript": "extraNeeded", "typescript": "extraNeeded: number", "go": "extraNeeded int",
    "java": "int extraNeeded", "kotlin": "extraNeeded: Int", "rust": "extra_needed: usize", "php": "$extraNeeded",
    "ruby": "extra_needed", "csharp": "int extraNeeded", "c": "int extra_needed", "cpp": "int extra_needed",
    "scala": "extraNeeded: Int", "swift": "extraNeeded: Int",
}  # fmt: skip
_RECEIVERS = re.compile(r"\s*(self|cls|&self|&mut self|mut self|&'\w+ self|self: [\w<>&]+)\s*(?=[,)])")


class Break(NamedTuple):
    """One break: the files it writes (None deletes), and the files whose text uses what it takes away."""

    kind: str
    language: str
    path: str
    name: str
    edits: Mapping[str, str | None]
    users: frozenset[str]


def draw(text: PlainText, number: int, seed: int, kinds: Sequence[str] = KINDS) -> list[Break]:
    """Some breaks at random: one of each kind in turn, as long as there are any."""
    chance = random.Random(seed)
    definitions = [definition for definition in text.definitions if text.users(definition)]
    pools: dict[str, Iterator[Break]] = {}
    for kind in kinds:
        order = sorted(definitions)
        chance.shuffle(order)
        pools[kind] = _breaks_of(text, kind, order)
    drawn: list[Break] = []
    while pools and len(drawn) < number:
        for kind in tuple(pools):
            made = next(pools[kind], None)
            if made is None:
                del pools[kind]
            elif len(drawn) < number:
                drawn.append(made)
    return drawn


def _breaks_of(text: PlainText, kind: str, definitions: list[Definition]) -> Iterator[Break]:
    """The breaks of one kind; whole files are taken away once."""
    taken: set[str] = set()
    for definition in definitions:
        language, users = text.languages[definition.path], text.users(definition)
        edits = _edits(text, kind, definition, language)
        if kind == "drop an export":
            users = _users_outside(text, users, definition.path, language)
        if not edits or not users or (kind in ("delete a file", "move a file") and definition.path in taken):
            continue
        taken.add(definition.path)
        yield Break(kind, language, definition.path, definition.name, edits, users)


def _edits(text: PlainText, kind: str, definition: Definition, language: str) -> dict[str, str | None]:
    path, content = definition.path, text.texts[definition.path]
    if kind == "delete a file":
        return {} if _is_entry(path) or definition.kind == "method" else {path: None}
    if kind == "move a file":
        return {} if _is_entry(path) or definition.kind == "method" else _move(path, content, language)
    if kind.startswith("rename"):
        return _rename(text, definition) if kind.endswith(f" {definition.kind}") else {}
    if kind == "drop an export":
        return _drop_export(definition, content, language)
    if definition.kind in ("function", "method"):
        return _add_parameter(text, definition, language)
    return {}


def _is_entry(path: str) -> bool:
    return PurePosixPath(path).stem in ("__init__", "index", "main", "lib", "mod")


def _rename(text: PlainText, definition: Definition) -> dict[str, str | None]:
    """The name is another one throughout its file; in C also in the file that goes with the header.

    None for a default export: its users name it as they like, so it may have another name.
    """
    if re.search(
        rf"^export default (?:(?:async )?function\*? |(?:abstract )?class )?{re.escape(definition.name)}\b",
        text.texts[definition.path],
        re.MULTILINE,
    ):
        return {}
    new = f"{definition.name}Renamed"
    files = [definition.path, *_other_half(text, definition.path)]
    return {path: re.sub(rf"\b{re.escape(definition.name)}\b", new, text.texts[path]) for path in files}


def _other_half(text: PlainText, path: str) -> list[str]:
    """Files with the same stem, for a header: what it declares is defined there."""
    if not path.endswith((".h", ".hpp")):
        return []
    stem = PurePosixPath(path).stem
    return [other for other in text.texts if other != path and PurePosixPath(other).stem == stem]


def _move(path: str, content: str, language: str) -> dict[str, str | None]:
    file = PurePosixPath(path)
    new = str(file.parent / "movedaway" / file.name)
    if language in _PATHS_ARE_NAMES:
        moved = (
            re.sub(r"^package \w+", "package movedaway", content, flags=re.MULTILINE)
            if language == "go"
            else content
        )
        return {path: None, new: moved}
    if language in _PACKAGES_ARE_NAMES and _PACKAGE.search(content):
        separator = "\\" if language == "php" else "."
        moved = _PACKAGE.sub(lambda match: f"{match[0]}{separator}movedaway", content, count=1)
        return {path: None, new: moved}
    return {}


_TYPES = r"(?:(?:final|abstract|sealed|case|data|open|enum|value|static|readonly|indirect) )*(?:class|struct|enum|trait|interface|protocol|object|record|actor)\b"
_EXPORTS = {
    "javascript": (r"^export (?!default)", ""),
    "typescript": (r"^export (?!default)", ""),
    "rust": (r"^pub(?:\([\w ]+\))? ", ""),
    "java": (r"^( *)public ", r"\1"),
    "kotlin": (rf"^(?:public |internal )?(?=fun |val |{_TYPES})", "private "),
    "csharp": (rf"^( *)public (?=const |{_TYPES})", r"\1internal "),
    "php": (r"^( *)(?:public )?(?=const )", r"\1private "),
    "swift": (rf"^(?:public |open |internal )?(?={_TYPES})", "private "),
    "scala": (rf"^(?={_TYPES})", "private "),
}


def _drop_export(definition: Definition, content: str, language: str) -> dict[str, str | None]:
    if definition.kind == "method" or language not in _EXPORTS:
        return {}
    pattern, replacement = _EXPORTS[language]
    lines = content.split("\n")
    line = re.sub(pattern, replacement, lines[definition.line - 1])
    if line == lines[definition.line - 1]:
        return {}
    lines[definition.line - 1] = line
    return {definition.path: "\n".join(lines)}


def _users_outside(text: PlainText, users: frozenset[str], path: str, language: str) -> frozenset[str]:
    """Users that need the export: in another package or project, or not in a module below this one."""
    folder = str(PurePosixPath(path).parent)
    if language == "csharp":
        project = _project(text, path)
        return frozenset(
            user
            for user in users
            if project and (other := _project(text, user)) != project and not _is_friend(text, other)
        )
    if language in ("java", "scala"):
        package = _PACKAGE.search(text.texts[path])
        return frozenset(
            user
            for user in users
            if (stated := _PACKAGE.search(text.texts[user])) and package and stated[2] != package[2]
        )
    if language == "rust":
        below = folder if _is_entry(path) else f"{folder}/{PurePosixPath(path).stem}"
        return frozenset(user for user in users if not user.startswith(f"{below}/"))
    return users


def _is_friend(text: PlainText, project: str) -> bool:
    """Whether a file of the checkout lets a project use what is internal to others."""
    names = [file.stem for file in (text.root / project).glob("*.csproj")]
    files = [file for ending in ("*.csproj", "*.props", "Assembly*.cs") for file in text.root.rglob(ending)]
    texts = (file.read_text("utf-8", "replace") for file in files)
    return any("InternalsVisibleTo" in text and any(name in text for name in names) for text in texts)


def _project(text: PlainText, path: str) -> str:
    """The nearest folder with a project file; empty if there is none."""
    folders = (str(folder) for folder in PurePosixPath(path).parents)
    return next((folder for folder in folders if any((text.root / folder).glob("*.csproj"))), "")


def _add_parameter(text: PlainText, definition: Definition, language: str) -> dict[str, str | None]:
    path = definition.path
    if not any(
        re.search(rf"\b{re.escape(definition.name)}\s*\(", text.code[user]) for user in text.users(definition)
    ):
        return {}
    edits: dict[str, str | None] = {}
    for file in (path, *_other_half(text, path)):
        lines = text.texts[file].split("\n")
        for at, line in enumerate(lines):
            is_definition = at == definition.line - 1 if file == path else not line[:1].isspace()
            match = re.search(rf"\b{re.escape(definition.name)}(?:\[[^\]]*\]|<[^>(]*>)?\(", line)
            if is_definition and match:
                lines[at] = _with_parameter(line, match.end(), _PARAMETERS[language])
                edits[file] = "\n".join(lines)
    return edits


def _with_parameter(line: str, at: int, parameter: str) -> str:
    """The line with one more parameter, after the receiver if there is one."""
    receiver = _RECEIVERS.match(line, at)
    if receiver:
        return f"{line[: receiver.end()]}, {parameter}{line[receiver.end() :]}"
    rest = line[at:]
    comma = "" if rest.lstrip().startswith(")") or rest.startswith("void)") else ", "
    return f"{line[:at]}{parameter}{comma}{rest.removeprefix('void')}"
