"""Ruby."""

from __future__ import annotations

from crimes.languages import spec
from crimes.languages.engine.nodes import Node, first_child, text_of
from crimes.languages.ruby.error_types import ERROR_TYPES
from crimes.languages.ruby.layout import is_test_path
from crimes.languages.ruby.locks import pins
from crimes.languages.ruby.requires import IMPORT_CALLS, import_call
from crimes.languages.ruby.resolve import RubyResolver
from crimes.model.facts import Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_GENERATED = regex(r"_pb\.rb$|(?:^|/)db/(?:\w+_)?schema\.rb$|(?:^|/)sorbet/rbi/")
_SCRIPT = regex(r"\.rake$|(?:^|/)(?:Rake|Cap|Guard|Thor|Dangerf|Fast)file$|(?:^|/)db/seeds(?:\.rb$|/)")
_CONFIG = regex(
    r"\.(?:gemspec|ru)$|(?:^|/)(?:Gem|Pod|Vagrant|Brew)file$|^config/|/config/(?:initializers|environments)/"
)
_FILE_NAMES = (
    *("Brewfile", "Capfile", "Dangerfile", "Fastfile", "Gemfile", "Guardfile"),
    *("Podfile", "Rakefile", "Thorfile", "Vagrantfile"),
)


def _grammar() -> object:
    import tree_sitter_ruby

    return tree_sitter_ruby.language()


def _handler(node: Node, source: bytes) -> spec.HandlerHead:
    """A rescue clause without a type catches every StandardError."""
    kinds, variable = node.child_by_field_name("exceptions"), node.child_by_field_name("variable")
    caught = tuple(text_of(kind, source).lstrip("*") for kind in kinds.named_children) if kinds else ()
    return spec.HandlerHead(caught, text_of(first_child(variable), source) if variable else "")


def _test_candidates(path: str) -> tuple[str, ...]:
    stem = path.rpartition("/")[2].partition(".")[0]
    return (f"{stem}_spec.rb", f"{stem}_test.rb", f"test_{stem}.rb")


def _role_of_path(path: str) -> Role | None:
    if _GENERATED.search(path):
        return Role.GENERATED
    if is_test_path(path):
        return None
    if _SCRIPT.search(path):
        return Role.SCRIPT
    return Role.CONFIG if _CONFIG.search(path) else None


RUBY = spec.Language(
    id="ruby",
    name="Ruby",
    comment="# {}",
    traits=LanguageTraits(
        other_names=True,
        named_arguments="declared",
        bare_members=True,
        late_imports=True,
        check_failures=("Exception",),
        errors=ERROR_TYPES,
    ),
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    below_root=("{name}.rb",),
    file_names=_FILE_NAMES,
    family="ruby",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("ruby/facts.scm",),
        imports=spec.ImportSyntax(calls=IMPORT_CALLS, call_draft=import_call, exports_all_public=True),
        errors=spec.ErrorSyntax(handler=_handler, raising_calls=frozenset({"raise", "fail"})),
        tests=spec.TestSyntax(
            names=regex(r"test_"),
            calls=regex(r"(?:f?it|f?specify|f?example|f?scenario|test|should|property)$"),
        ),
        names=spec.NameSyntax(self_prefix=b"@", bare_calls=True, reopens=True),
        functions=spec.FunctionSyntax(
            blocks_are_values=True,
            callback="block",
            anonymous="lambda",
            labels=frozenset({"simple_symbol", "hash_key_symbol", "constant", "scope_resolution"}),
        ),
        visibility=spec.VisibilitySyntax(
            query="ruby/visibility.scm",
            words={"private_constant": Reach.TYPE, "private_class_method": Reach.TYPE},
        ),
        calling=spec.CallSyntax(
            query="ruby/calls.scm",
            own_objects=frozenset({"self"}),
            constructor="initialize",
            maker="new",
            bare_arguments=True,
            # A hash may be one argument or several keywords: which, only the called method says.
            spread=regex(rb"^(?:\*|&)|^[\w\"':]+[?!]?:\s|=>"),
            ignored=regex(rb"&"),
            calls_fields=False,
            assigns_methods=True,
            open_methods=frozenset({"method_missing", "respond_to_missing?"}),
        ),
    ),
    resolver=RubyResolver,
    pins=pins,
    is_test_path=is_test_path,
    test_candidates=_test_candidates,
    role_of_path=_role_of_path,
)
