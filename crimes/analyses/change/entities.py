"""What names of code stand for: a module, a type, or functions; and types as written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from crimes.model.calls import Binding
from crimes.model.lazy_regex import regex

_OPTIONAL = regex(r"^(?:typing\.|t\.)?Optional\[(.+)\]$")
_POINTERS = regex(r"^(?:std::\w+::)?(?:Box|Rc|Arc)<(.+)>$")
_EXISTENTIAL = regex(r"^\(?(?:any|some)\s++([\w.]++)\)?$")
_NOTHING = regex(r"(?:(?<!\s)\s++)?\|\s*+(?:None|null|undefined)\b|\b(?:None|null|undefined)\s*+\|\s*+")
_REFERENCE = regex(r"^(?:[&*?]|'\w+\s|mut\s|final\s|readonly\s|\s)+")
_ARGUMENTS = regex(r"(?:<.*>|\[[^\[\]]+\])$", within=500)
_PLAIN = regex(r"[\w$.:\\]+")


class Module(Struct, frozen=True):
    """Files that stand for one name: a module, or the files of a package that have what is used."""

    paths: tuple[str, ...]


class Type(Struct, frozen=True):
    """A class, struct or interface, or an object of it. `is_base`: methods are those of its bases."""

    path: str
    qualname: str
    is_object: bool = False
    is_base: bool = False


class Functions(Struct, frozen=True):
    """A function with its overloads; `others` stand elsewhere. `is_bound`: it is called on its object; `owner` is its type."""

    path: str
    indexes: tuple[int, ...]
    owner: str = ""
    is_bound: bool = False
    others: tuple[Functions, ...] = ()


class Missing(Struct, frozen=True):
    """A method that a type does not have; unless `is_sure`, it may still inherit one from outside."""

    owner: Type
    name: str
    is_sure: bool = True


Entity = Module | Type | Functions | Missing


class Follower(Protocol):
    """Says what names stand for."""

    def type_named(self, path: str, written: str, function: int, line: int = 0) -> Type | None:
        """The type that is written, in a function of a file."""

    def value_of(self, path: str, bound: Iterable[Binding]) -> Entity | None:
        """What all these bindings of one name agree on."""

    def member(self, owner: Type, word: str) -> Entity | None:
        """A method, field or inner class of a type."""


def plain_type(written: str, index: int = 0) -> str:
    """The name of a type as written, without what makes it optional, a pointer or generic; empty if it is more than that."""
    text = written.strip().strip("\"'").strip()
    if text.startswith("(") and text.endswith(")"):  # several results
        results = [part.strip() for part in text[1:-1].split(",")]
        text = results[index].rpartition(" ")[2] if index < len(results) else ""
    elif index:
        return ""
    before = ""
    while before != text:
        before = text
        text = _REFERENCE.sub("", _NOTHING.sub("", text)).rstrip("?! ")
        for pattern in (_OPTIONAL, _POINTERS, _EXISTENTIAL):
            match = pattern.match(text)
            text = match.group(1) if match else text
    text = _ARGUMENTS.sub("", text)
    return text if _PLAIN.fullmatch(text) else ""
