"""The classes of one state: by name, in parts, and around a place."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from crimes.analyses.change.entities import Type
from crimes.analyses.change.outlines import Outlines
from crimes.analyses.change.state import State
from crimes.languages import by_id
from crimes.languages.spec import CallSyntax, Syntax
from crimes.model.calls import CallOutline
from crimes.model.facts import Class


class Classes:
    """Answers which class is meant or around; and what else is known of a file by its path alone."""

    def __init__(self, state: State, outlines: Outlines) -> None:
        self.state, self._outlines = state, outlines

    def outline(self, path: str) -> CallOutline | None:
        """The call outline of a file; None if it cannot be read."""
        return self._outlines.of(self.state, path)

    def calling(self, path: str) -> CallSyntax | None:
        """How the language of a file calls functions; None if its calls are not followed."""
        return self._outlines.calling(self.state, path)

    def syntax(self, path: str) -> Syntax:
        """The syntax of a file whose calls are followed."""
        facts = self.state.facts(path)
        syntax = by_id[facts.language].syntax if facts else None
        assert syntax is not None, path
        return syntax

    def named(self, path: str, qualname: str) -> Class | None:
        """The class of a qualified name in a file."""
        classes = self.all_named(path, qualname)
        return classes[0] if classes else None

    def all_named(self, path: str, qualname: str) -> list[Class]:
        """The class of a name in a file; in several parts, where its methods may stand outside of it."""
        facts, calling = self.state.facts(path), self.calling(path)
        classes = [class_ for class_ in facts.classes if class_.qualname == qualname] if facts else []
        return classes if len(classes) < 2 or (calling and calling.scattered) else []

    def parts(self, owner: Type) -> list[tuple[str, Class]]:
        """The class in its file, and in other files where its methods may stand."""
        calling = self.calling(owner.path)
        parts = [(owner.path, class_) for class_ in self.all_named(owner.path, owner.qualname)]
        if calling is not None and calling.scattered:
            parts += [
                (path, class_)
                for path, class_ in self._by_name.get(owner.qualname, ())
                if path != owner.path and self._is_same_type(owner.path, path, class_.name)
            ]
        return parts

    @cached_property
    def _by_name(self) -> Mapping[str, list[tuple[str, Class]]]:
        by_name: defaultdict[str, list[tuple[str, Class]]] = defaultdict(list)
        for path, file in self.state.files.items():
            for class_ in file.facts.classes:
                by_name[class_.qualname].append((path, class_))
        return by_name

    def _is_same_type(self, path: str, other: str, name: str) -> bool:
        """Whether the methods for a type in another file are those of this type."""
        facts, others = self.state.facts(path), self.state.facts(other)
        if facts is None or others is None or facts.language != others.language:
            return False
        if facts.packages or others.packages:
            return facts.packages == others.packages and posixpath.dirname(path) == posixpath.dirname(other)
        return name not in others.definitions

    def around(self, path: str, function: int, line: int = 0) -> Iterator[Class]:
        """The class whose method a function is or is part of, and the classes around that, innermost first.

        Outside of functions, the class that a line stands in.
        """
        facts = self.state.facts(path)
        index = next(
            (at for at in self.chain(path, function) if facts and facts.functions[at].class_index >= 0), -1
        )
        if facts is None:
            return
        owner = (
            facts.classes[facts.functions[index].class_index] if index >= 0 else self.innermost(path, line)
        )
        if owner is None:
            return
        qualname = owner.qualname
        yield owner
        while "." in qualname:
            qualname = qualname.rpartition(".")[0]
            outer = self.named(path, qualname)
            if outer is not None:
                yield outer

    def innermost(self, path: str, line: int) -> Class | None:
        """The innermost class around a line."""
        facts = self.state.facts(path)
        around = [class_ for class_ in (facts.classes if facts else ()) if class_.start <= line <= class_.end]
        return min(around, key=lambda class_: class_.end - class_.start) if around else None

    def chain(self, path: str, function: int) -> Iterator[int]:
        """A function and those around it, innermost first."""
        facts = self.state.facts(path)
        while function >= 0 and facts is not None:
            yield function
            function = facts.functions[function].parent
