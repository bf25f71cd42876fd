"""C, which C++ builds on. A `.h` belongs to whichever of the two has more files in the repository."""

from __future__ import annotations

from crimes.languages import spec
from crimes.languages.c.paths import is_test_path, role_of_path, test_candidates
from crimes.languages.c.repair import repair
from crimes.languages.c.resolve import CResolver
from crimes.languages.c.syntax import declarator, error_branch, imports
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits


def _grammar() -> object:
    import tree_sitter_c

    return tree_sitter_c.language()


# Functions of the library that programs define themselves where a system lacks them.
_OFTEN_REPLACED = """
arc4random asprintf basename bzero clock_gettime dirname dprintf err explicit_bzero ffs fmin fmax getdelim getentropy getline
getopt getopt_long getprogname gettimeofday inet_ntop inet_pton localtime_r memmem memrchr mkdtemp mkstemp nanosleep poll
qsort_r reallocarray round setenv setproctitle snprintf stpcpy strcasecmp strcasestr strdup strlcat strlcpy strncasecmp
strndup strnlen strsep strtok_r strtoll strtonum strtoull timegm trunc unsetenv usleep vasprintf vsnprintf warn
"""

C = spec.Language(
    id="c",
    name="C",
    traits=LanguageTraits(checked_types=True, linked_by_build=True),
    global_names=frozenset(_OFTEN_REPLACED.split()),
    extensions=(".c",),
    shared_extensions=(".h",),
    below_root=("{name}",),
    family="c",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("c/facts.scm",),
        repair=repair,
        imports=spec.ImportSyntax(statements=imports, exports_all_public=True),
        errors=spec.ErrorSyntax(
            branch=error_branch,
            raising_calls=frozenset({"abort", "exit", "_exit", "std::abort", "std::terminate", "std::exit"}),
        ),
        tests=spec.TestSyntax(
            names=regex(r"test(?:_|[A-Z]|$)|.+_test$", within=300),
            macros=regex(
                r"TEST(?:_[A-Z]+)*|TYPED_TEST(?:_P)?|TEMPLATE_(?:PRODUCT_|LIST_)?TEST_CASE(?:_\w+)?|SCENARIO(?:_\w+)?"
                r"|BOOST_(?:AUTO|FIXTURE|DATA|PARAM)_TEST_CASE(?:_\w+)?|START_TEST|CTEST2?|Test|MU_TEST|UTEST(?:_F)?|munit_test"
            ),
            compiler_conditions=regex(r"(?:\w+_)?(?:UNIT_?)?TESTS?(?:ING|_MAIN)?", within=300),
        ),
        names=spec.NameSyntax(
            declared_name=regex(r"(?!(?:const|volatile|restrict|__restrict)\b)[A-Za-z_]\w*")
        ),
        functions=spec.FunctionSyntax(declarator=declarator, callback="function", anonymous="function"),
    ),
    resolver=CResolver,
    is_test_path=is_test_path,
    test_candidates=test_candidates,
    role_of_path=role_of_path,
)
