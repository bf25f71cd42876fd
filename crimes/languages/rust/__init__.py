"""Rust."""

from __future__ import annotations

from crimes.languages import spec
from crimes.languages.rust.errors import discards, error_branch
from crimes.languages.rust.locks import pins
from crimes.languages.rust.paths import is_test_path, role_of_path, test_candidates
from crimes.languages.rust.resolve import RustResolver
from crimes.languages.rust.tokens import read_tokens
from crimes.languages.rust.use_trees import imports, path_at_file_level
from crimes.model.facts import EdgeKind
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_STD_TRAITS = frozenset(
    {
        "Default",
        "Clone",
        "Copy",
        "Debug",
        "Display",
        "Eq",
        "PartialEq",
        "Ord",
        "PartialOrd",
        "Hash",
        "Drop",
        "Send",
    }
    | {
        "Sync",
        "Unpin",
        "From",
        "TryFrom",
        "AsRef",
        "FromStr",
        "Error",
        "Serialize",
        "Deserialize",
        "fmt.Debug",
    }
    | {
        "fmt::Debug",
        "fmt::Display",
        "std::fmt::Debug",
        "std::fmt::Display",
        "std::error::Error",
        "error::Error",
    }
)


def _grammar() -> object:
    import tree_sitter_rust

    return tree_sitter_rust.language()


RUST = spec.Language(
    id="rust",
    name="Rust",
    traits=LanguageTraits(checked_types=True, macros=True, declared_only=True),
    extensions=(".rs",),
    family="rust",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("rust/facts.scm",),
        tokens=read_tokens,
        imports=spec.ImportSyntax(
            statements=imports,
            kind=EdgeKind.LINKED,
            calls={"include": EdgeKind.LINKED},
            file_decorator=regex(r'\bpath="([^"]+)"'),
            relative=path_at_file_level,
            exports_all_public=True,
        ),
        errors=spec.ErrorSyntax(
            branch=error_branch,
            discards=discards,
            raising_calls=frozenset({"panic", "unreachable", "todo", "unimplemented", "bail"}),
        ),
        tests=spec.TestSyntax(
            decorators=regex(
                r"(?:\w+::)*(?:test|rstest|test_case|test_matrix|quickcheck|wasm_bindgen_test|proptest)\b",
                within=300,
            ),
            scopes=regex(r"cfg\((?:all\([^()]*\b)?test\b"),
        ),
        names=spec.NameSyntax(self_prefix=b"self."),
        functions=spec.FunctionSyntax(
            results_are_returned=True, whole_decorators=True, callback="closure", anonymous="closure"
        ),
        calling=spec.CallSyntax(
            query="rust/calls.scm",
            own_objects=frozenset({"self"}),
            own_types=frozenset({"Self"}),
            receiver=regex(r"self$"),
            ignored=regex(rb"#\["),
            generating_decorators=regex(
                rf"derive\((?:.*,)?(?!(?:{'|'.join(sorted(_STD_TRAITS))})\b)\w", within=1000
            ),
            marks_overrides=True,
            calls_fields=False,
            inert_bases=_STD_TRAITS,
            derived_methods=frozenset(
                {
                    "default",
                    "clone",
                    "fmt",
                    "eq",
                    "ne",
                    "cmp",
                    "partial_cmp",
                    "hash",
                    "from",
                    "into",
                    "to_string",
                    "drop",
                }
            ),
            scattered=True,
        ),
        visibility=spec.VisibilitySyntax(
            query="rust/visibility.scm",
            words={
                "pub": Reach.EVERYWHERE,
                "pub(crate)": Reach.UNIT,
                "pub(in)": Reach.UNIT,
                "pub(super)": Reach.PARENT,
                "pub(self)": Reach.MODULE,
            },
            top=Reach.MODULE,
            member=Reach.MODULE,
        ),
    ),
    resolver=RustResolver,
    pins=pins,
    is_test_path=is_test_path,
    test_candidates=test_candidates,
    role_of_path=role_of_path,
    inline_tests=True,
)
