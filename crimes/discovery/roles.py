"""What a file is for, from its path, its git attributes, the licences beside it and the banner at its top.

A wrong `vendored` or `generated` hides real code, so a folder name that is also an everyday word (`tools`,
`docs`, `build`) counts only at the top of a project: as the first folder, or as the first one inside a
workspace's package. Database migrations are scripts: they run once, in order, and stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from crimes.model.facts import Role
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from crimes.languages.spec import Language

ATTRIBUTES = {
    "linguist-generated": Role.GENERATED,
    "linguist-vendored": Role.VENDORED,
    "linguist-documentation": Role.DOCS,
}


FOLDERS = regex(
    r"(?:^|/)(?:(?P<vendored>node_modules|bower_components|jspm_packages|3rdparty|3rd[_-]party|third(?:[_-]?party)?|_?vendor|_?vendored|ext-py\d?|externals?_libs?|_?externals|extern"
    r"|site-packages)|(?P<generated>generated|_generated|__generated__)"
    r"|(?P<fixtures>__(?:test)?fixtures__|fixtures[_-][\w-]+|test_?data|(?<=tests/)fixtures|(?<=test/)fixtures|(?<=testing/)fixtures"
    r"|(?<=src/test/)resources|(?<=src/it/)resources)"
    r"|(?P<test>tests|__tests__|__mocks__|__snapshots__|e2e)"
    r"|(?P<example>(?:[\w.-]+-)?examples|[\w.-]+-example|demos|tutorials|cookbook|example_dags)"
    r"|(?P<script>(?:__)?benchmarks?(?:__)?|fuzz(?:ers|ing)?)"
    r"|(?P<migrations>migrations|migrate|alembic(?:_migrations)?/versions)"
    r"|(?P<static>_?static|assets)|(?P<served>public|wwwroot)"
    r"|(?P<settings>\.(?:storybook|vitepress|vuepress|docusaurus))"
    # An everyday word, and a folder that a release was unpacked into: they count among what a web server hands out.
    r"|(?P<vendors>vendors)|(?P<libraries>libs?)|(?P<release>[a-zA-Z][\w.-]*?[-_@]v?\d+\.\d+\.\d+))(?=/)"
)
# `/*! name v1.2.3 … licence … */`: the exclamation mark asks minifiers to keep the comment of a released file.
VERSION = regex(rb"\bv?\d+\.\d+\.\d+\b")
LICENSED = regex(rb"licen[sc]e|copyright|\(c\)", re.IGNORECASE)
GENERATED_NAME = regex(
    r"_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|d\.ts)$|\.pb\.\w+$|[.-]min\.[cm]?js$|\.(?:bundle|chunk)\.js$"
    r"|\.(?:generated|gen|autogen)\.\w+$|\.(?:serde|tonic)\.rs$"
)
# Libraries people copy into the folder their web server hands out.
COPIED_LIBRARY = regex(
    r"(?:jquery|modernizr|underscore|backbone|lodash|select2|xregexp|html5shiv|mathjax|swagger-ui)"
    r"(?:[.-](?:v?\d(?:\w|\.(?!js$))*+|min|slim|full|core|bundle))*+\.js$"
)
SERVED_SCRIPT = regex(r"[^.]\.js$")  # what a browser loads as it is: built files keep their source elsewhere
CONFIG_NAME = regex(r".+\.(?:config|conf)\.[cm]?[jt]s$|\..+rc\.[cm]?js$|webpack\..*\.js$")
SCRIPT_NAME = regex(
    r"(?:noxfile|fabfile|manage|dodo)\.py$|(?:[Gg]ulp|[Gg]runt|[Jj]ake)file\.[cm]?[jt]s$|.+\.bench\.[cm]?[jt]sx?$"
)
TOP_SCRIPT_NAMES = frozenset({"setup.py", "tasks.py", "build.py", "release.py", "bootstrap.py"})
TOP_FOLDERS: Mapping[str, Role] = {
    **dict.fromkeys(("test", "testing", "spec", "specs", "fixtures", "cypress"), Role.TEST),
    **dict.fromkeys(("doc", "docs", "documentation", "website"), Role.DOCS),
    **dict.fromkeys(("example", "sample", "samples", "demo", "tutorial", "playground"), Role.EXAMPLE),
    **dict.fromkeys(
        ("script", "scripts", "tool", "tools", "bin", "hack", "ci", "build", "bench"), Role.SCRIPT
    ),
    **dict.fromkeys((".github", ".gitlab", ".circleci", ".ci"), Role.SCRIPT),
    "dist": Role.GENERATED,
}
WORKSPACES = frozenset(
    {"packages", "apps", "libs", "modules", "services", "projects", "plugins", "extensions"}
)


def role_of(
    path: str,
    language: Language,
    configured_test: Callable[[str], bool],
    attributes: Mapping[str, bool],
    copied: frozenset[str] = frozenset(),
) -> Role:
    """The role a path gives a file. A set attribute decides; an unset one takes its role off the table.

    `copied` are folders of copied projects.
    """
    if (
        copied
        and attributes.get("linguist-vendored") is None
        and any(folder in copied for folder in _above(path))
    ):
        return Role.VENDORED
    if not attributes:
        return next(_guesses(path, language, configured_test), Role.SOURCE)
    for name, role in ATTRIBUTES.items():
        if attributes.get(name):
            return role
    denied = {role for name, role in ATTRIBUTES.items() if attributes.get(name) is False}
    guesses = _guesses(path, language, configured_test)
    return next((role for role in guesses if role not in denied), Role.SOURCE)


def _above(path: str) -> Iterator[str]:
    """The folders that a path is in, the nearest first."""
    while path := path.rpartition("/")[0]:
        yield path


def _guesses(path: str, language: Language, configured_test: Callable[[str], bool]) -> Iterator[Role]:
    """Roles that fit, the surest first."""
    folder, _, name = path.rpartition("/")
    signs, at_top = _folder_signs(folder)
    if configured_test(path):
        yield Role.TEST
    own = language.role_of_path(path)
    if own is Role.SOURCE:
        yield own  # the language knows that this folder is a package
    is_static = "static" in signs or "served" in signs
    is_library = {"served", "libraries"} <= signs and SERVED_SCRIPT.search(name)
    is_copied = "vendors" in signs or "release" in signs or is_library or COPIED_LIBRARY.match(name)
    if "vendored" in signs or (is_static and is_copied):
        yield Role.VENDORED
    if "generated" in signs or GENERATED_NAME.search(name):
        yield Role.GENERATED
    if "fixtures" in signs:
        yield Role.TEST
    if own is not None:
        yield own
    if "test" in signs or language.is_test_path(path):
        yield Role.TEST
    if "migrations" in signs and (name[:3].isdigit() or folder.endswith("/versions")):
        yield Role.SCRIPT
    if at_top is not None:
        yield at_top
    if "example" in signs:
        yield Role.EXAMPLE
    if (
        "script" in signs
        or SCRIPT_NAME.match(name)
        or (name in TOP_SCRIPT_NAMES and not _inside_project(folder))
    ):
        yield Role.SCRIPT
    if "settings" in signs or CONFIG_NAME.match(name):
        yield Role.CONFIG


@lru_cache(maxsize=1 << 16)
def _folder_signs(folder: str) -> tuple[frozenset[str], Role | None]:
    """The signs in the names of a file's folders, and the role of the first folder inside the project."""
    signs = {match.lastgroup or "" for match in FOLDERS.finditer(folder + "/")}
    inside = _inside_project(folder)
    first = inside[0] if inside else ""
    return frozenset(signs), TOP_FOLDERS.get(first, Role.CONFIG if first.startswith(".") else None)


def _inside_project(folder: str) -> list[str]:
    """The folders below the top of the project; below a workspace folder that is the package's own folder."""
    parts = folder.split("/") if folder else []
    if len(parts) > 1 and parts[0] in WORKSPACES:
        return parts[3:] if parts[1].startswith("@") else parts[2:]
    return parts


HEADER_BYTES = 2048
LINE_COMMENT = regex(r"\s*(?:#|//|--|\*(?!/))+!?(.*)$")
BLOCK = regex(r"""\s*(?:(/\*)|(<!--)|[rRuU]?(\"{3}|'{3}))(.*)$""")
SKIPPED_LINE = regex(
    r"""\s*+(?:\*/|["']use \w+["'];?|<\?(?:php|[^>]*\?>)|declare\(strict_types=1\);)?\s*+$"""
)
# At the start of a comment line, each of these is a statement about the file itself.
GENERATED_BANNER = regex(
    r"\W*(?:(?:warning|note|attention|important)\W+)?(?:"
    r"code generated\b.*\bdo not edit"
    r"|(?:please )?do not (?:edit|modify)\b[^.!:]{0,40}[.!:] *(?:auto(?:matically)?[- ]?)?generated\b"
    r"|@(?:partially-)?generated\b"
    r"|<auto-?generated"
    r"|auto(?:matically)?[- ]?generated(?: (?:file|code|by|from|using|with|on|at)\b|\W*$)"
    r"|this (?:\w+ )?(?:file|module|document) (?:is|was|has been) "
    r"(?:an )?(?:@|auto[- ]?|automatically[- ]|machine[- ])?generated\b"
    r"|this (?:\w+ )?(?:code|class|script) (?:is|was|has been) "
    r"(?:auto[- ]?|automatically |machine[- ])generated\b"
    r"|this is an? (?:auto[- ]?|automatically[- ]|machine[- ])generated\b"
    r"|generated from \S+ by antlr"
    r"|generated using swiftgen\b"
    r"|generated by (?:the )?(?:protocol buffer|grpc|protoc|thrift|swagger|openapi|coffeescript|antlr|bison"
    r"|cython|peg\.?js|graphql-code|dts-bundle|swig|re2c|ragel|gperf|wayland-scanner)"
    r"|a (?:bison parser, made by|lexical scanner generated by)|(?:ansi-)?c(?:\+\+)? code produced by gperf"
    r"|meta object code from reading"
    r")",
    re.IGNORECASE,
    within=500,
)
# Half a statement each: generators that go by other names also forbid edits, templates to start from do not.
GENERATED_BY = regex(r"\W*(?:this \w+ (?:is|was) )?generated (?:by|from|with|using|at|on)\b", re.IGNORECASE)
DO_NOT_EDIT = regex(
    r"\b(?:do not|don't|never) (?:manually |hand[- ]?)?(?:edit|modify|change|touch)\b", re.IGNORECASE
)
# A docstring may well be about generated code; these lines are what generators write into one.
GENERATED_DOCSTRING = regex(
    r"\s*(?:generated by:? (?:https?://\S*(?:swagger|openapi)|openapi generator\b|swagger codegen\b)"
    r"|.*\((?:auto)?generated by (?:openapi generator|swagger code ?gen))",
    re.IGNORECASE,
    within=500,
)
# Every banner holds one of these, so most files need no line-by-line check.
BANNER_WORDS = (b"generated", b"made by", b"produced by", b"meta object")
DOCSTRING_QUOTES = ('"""', "'''")
SOURCE_MAP = regex(rb"//[#@] ?sourceMappingURL=")
GENERATED_ANNOTATION = regex(rb"^@(?:(?:javax?|jakarta)\.[\w.]+\.)?Generated\b\s*\([^\n]*", re.MULTILINE)
ANNOTATION_BYTES = 8192
LONG_LINE_BYTES = 500
MIN_MEAN_LINE_BYTES = 110


def generated_marker(source: bytes) -> str:
    """What in a file's text says that a program wrote it, in at most 100 characters; else empty."""
    head = source[:HEADER_BYTES]
    lower = head.lower()
    banner = _banner(head) if any(lower.find(word) >= 0 for word in BANNER_WORDS) else ""
    return (
        banner
        or _release_banner(head)
        or _generated_annotation(source)
        or _bundled_modules(source)
        or _minified(source)
    )


COPIED = "copied: "  # before the words that say so, where a marker is not about generated code
# At the start of a comment line at the top of a file: all of it comes from elsewhere.
COPIED_BANNER = regex(
    r"\W*(?:(?:note|warning)\W+)?(?:this (?:\w+ ){0,2}(?:file|module|code|header|script|library) (?:is|was|has been) )?(?:"
    r"(?:copied|vendored|pulled|imported)(?:[ ,]+(?:verbatim|directly|straight|wholesale|unmodified|as[- ]is))*"
    r" from\b(?! (?:this|the (?:same|current|parent|original (?:file|class))|below|above|there|here)\b)"
    r"|(?:an? )?(?:vendored|verbatim|unmodified) (?:copy|version) of\b"
    r"|(?:adapted|backported|ported) from (?:c?python\b|the (?:python )?standard library))",
    re.IGNORECASE,
)
SINGLE_FILE = regex(r"\bsingle[- ](?:header|file)\b", re.IGNORECASE)
COPIED_WORDS = (b" from ", b"copy of", b"version of", b"single")
# An import of names or a re-export may be explained by the same words; a file that is short holds little else.
MIN_COPIED_LINES = 40


def copied_marker(source: bytes) -> str:
    """What at the top of a file says that all of it was copied from elsewhere, after `COPIED`; else empty."""
    head = source[:HEADER_BYTES]
    lower = head.lower()
    if not any(lower.find(word) >= 0 for word in COPIED_WORDS) or source.count(b"\n") < MIN_COPIED_LINES:
        return ""
    text = _first_comment(head.decode("utf-8", "replace").removeprefix("\ufeff"))
    lines = [line for line, in_docstring in _opening_comments(text) if not in_docstring]
    for line in lines:
        if COPIED_BANNER.match(line):
            return COPIED + _evidence(line)
    single = next((line for line in lines if SINGLE_FILE.search(line)), "")
    has_version = any(VERSION.search(line.encode()) for line in lines)
    is_licensed = any(LICENSED.search(line.encode()) or "public domain" in line.lower() for line in lines)
    return COPIED + _evidence(single) if single and has_version and is_licensed else ""


def _first_comment(head: str) -> str:
    """The first comment of a file: a later one may be about what follows it."""
    text = head.removeprefix("<?php").lstrip()
    if text.startswith("/*"):
        return text[: text.find("*/") + 2]
    return text.partition("\n\n")[0]


def role_of_marker(marker: str) -> Role:
    """The role that the marker of a file's content gives it."""
    return Role.VENDORED if marker.startswith(COPIED) else Role.GENERATED


LICENCE_NAME = regex(r"(?:licen[sc]e|copying|copyright|unlicen[sc]e)(?:[.-][\w.-]+)?$", re.IGNORECASE)
# Folders that hold other people's projects beside one's own parts: only a licence of its own tells which is which.
LIBRARY_FOLDER = regex(r"(?:.+/)?(?:deps|libs?|contrib|external|ext|thirdparty|dependencies)/[^/]+$")
WORKSPACE_MANIFESTS = frozenset(
    {"package.json", "Cargo.toml", "pyproject.toml", "composer.json", "go.mod", "pom.xml"}
)


def licensed_folders(paths: Collection[str]) -> frozenset[str]:
    """Folders of copied projects: in a folder for libraries, with a licence of their own, and no package of the workspace."""
    names: dict[str, set[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        names.setdefault(folder, set()).add(name)
    own = names.get("", set())
    if not any(map(LICENCE_NAME.match, own)):
        return frozenset()  # without a licence at the top, those below may be the project's own
    return frozenset(
        folder
        for folder, files in names.items()
        if LIBRARY_FOLDER.match(folder)
        and any(map(LICENCE_NAME.match, files))
        and WORKSPACE_MANIFESTS.isdisjoint(files)
    )


def _banner(head: bytes) -> str:
    """The first line of the opening comments that says the file is generated."""
    origin, do_not_edit = "", False
    for text, in_docstring in _opening_comments(head.decode("utf-8", "replace").removeprefix("\ufeff")):
        if (GENERATED_DOCSTRING if in_docstring else GENERATED_BANNER).match(text):
            return _evidence(text)
        if not in_docstring:
            origin = origin or (text if GENERATED_BY.match(text) else "")
            do_not_edit = do_not_edit or DO_NOT_EDIT.search(text) is not None
        if origin and do_not_edit:
            return _evidence(origin)
    return ""


def _generated_annotation(source: bytes) -> str:
    """The annotation that generators of Java put above the outermost type."""
    if source.find(b"Generated", 0, ANNOTATION_BYTES) < 0:
        return ""
    match = GENERATED_ANNOTATION.search(source, 0, ANNOTATION_BYTES)
    return _evidence(match.group().decode("utf-8", "replace")) if match else ""


# People write one module a file, and leave its name out; packagers name every one.
BUNDLED_MODULE = regex(
    rb"""^(?:;?(?:[\w$]+\.)?define\(\s*["'][\w@./!-]+["'],\s*(?:\[|function\b)|(?:/\*+/\s*)?function __webpack_require__\()""",
    re.MULTILINE,
)
MIN_BUNDLED_MODULES = 2


def _bundled_modules(source: bytes) -> str:
    """What shows that a packager joined several modules in one file: their names, or the loader that it adds."""
    if source.find(b"define(") < 0 and source.find(b"function __webpack_require__(") < 0:
        return ""
    heads = [match.group() for match in BUNDLED_MODULE.finditer(source)]
    if any(head.endswith(b"__webpack_require__(") for head in heads):
        return "a bundle with its loader"
    return f"a bundle of {len(heads)} named modules" if len(heads) >= MIN_BUNDLED_MODULES else ""


PRESERVED = regex(rb"/\*!|/\*\*?\s*(?:\*\s*)?@(?:license|preserve)\b")


def _release_banner(head: bytes) -> str:
    """The banner of a library's release, which minifiers preserve: the file is a copy of a released one."""
    start = head.lstrip()
    banner = start[3 : start.find(b"*/")] if PRESERVED.match(start) else b""
    if VERSION.search(banner) and LICENSED.search(banner):
        lines = (line.decode("utf-8", "replace").strip("* \t\r") for line in banner.split(b"\n"))
        return _evidence(next(line for line in lines if line))
    return ""


def _opening_comments(head: str) -> Iterator[tuple[str, bool]]:
    """The text of the comments before the first line of code, and of a docstring there (marked)."""
    closing = ""
    for line in head.splitlines():
        if closing:
            yield line, closing in DOCSTRING_QUOTES
            closing = "" if closing in line else closing
        elif comment := LINE_COMMENT.match(line):
            yield comment[1], False
        elif block := BLOCK.match(line):
            closing = "*/" if block[1] else "-->" if block[2] else block[3]
            yield block[4], closing in DOCSTRING_QUOTES
            closing = "" if closing in block[4] else closing
        elif not SKIPPED_LINE.match(line):
            return


def _minified(source: bytes) -> str:
    """Minified code, or code that ends with a link to its source map."""
    last = source[-400:].rstrip().rpartition(b"\n")[2]
    if SOURCE_MAP.match(last):
        return "ends with a source map link"
    if len(source) < LONG_LINE_BYTES or len(source) // (source.count(b"\n") + 1) < MIN_MEAN_LINE_BYTES:
        return ""
    long_lines = [line for line in source.split(b"\n") if len(line) >= LONG_LINE_BYTES]
    if sum(map(len, long_lines)) * 2 < len(source):
        return ""
    # Long text and embedded data have long lines too; minified code is dense with the ends of statements.
    longest = max(long_lines, key=len)
    sample = longest[: 10 * LONG_LINE_BYTES]
    if (sample.count(b";") + sample.count(b"}")) * 100 < len(sample):
        return ""
    return f"minified: a line of {len(longest)} characters"


def _evidence(line: str) -> str:
    return "".join(char for char in line.strip(" \t*/#-<>!") if char.isprintable())[:100]
