"""C++: C's captures and conventions, with the grammar's own additions."""

from __future__ import annotations

from msgspec.structs import replace

from crimes.languages.c import C
from crimes.languages.c.syntax import handler
from crimes.model.repository import LanguageTraits

assert C.syntax is not None


def _grammar() -> object:
    import tree_sitter_cpp

    return tree_sitter_cpp.language()


CPP = replace(
    C,
    id="cpp",
    name="C++",
    traits=LanguageTraits(checked_types=True, bare_members=True, linked_by_build=True),
    extensions=(
        *(".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++"),
        *(".inl", ".ipp", ".tpp", ".tcc", ".cppm", ".ixx"),
    ),
    syntax=replace(
        C.syntax,
        grammar=_grammar,
        queries=("c/facts.scm", "cpp/facts.scm"),
        errors=replace(C.syntax.errors, handler=handler),
        functions=replace(C.syntax.functions, callback="lambda", anonymous="lambda"),
        names=replace(
            C.syntax.names, self_prefix=b"this->", implicit_self=True, namespaces_are_packages=True
        ),
    ),
)
