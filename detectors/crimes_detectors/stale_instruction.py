"""A document for agents or contributors names something that does not exist in this repository.

It checks local links, paths in code quotes, and commands in code quotes or shell blocks: `make`, `just`, the scripts of package
managers, a file passed to an interpreter, `cd`. A path counts when its first folder is one of this repository; a bare
file name only in instruction files. Those are AGENTS.md, CLAUDE.md, GEMINI.md and the rules files of Copilot, Cursor and
others. The severity is medium if one of them has a command that cannot run, else low. In README and CONTRIBUTING files less is reported: a path has to be in a folder that exists, and a
README may tell its readers what to run in projects of their own.

Everything below one missing folder is one finding, whichever documents name it; so are all missing paths of one document.

## Why it matters

Whoever follows the document runs a command that fails, or looks for something that is not there. An agent takes it literally, and may
recreate a file that was removed on purpose.

## What to do

Correct the mention, or remove it. If the document is right and the file is missing by mistake, restore the file.

## Before

```text
# AGENTS.md
Run `python scripts/seed_db.py` before the tests, then `make check`.

$ ls scripts
load_fixtures.py
$ make check
make: *** No rule to make target 'check'.  Stop.
```

## After

```text
# AGENTS.md
Run `python scripts/load_fixtures.py` before the tests, then `make test`.

$ ls scripts
load_fixtures.py
$ make test
214 passed
```

## What it does not report

- Placeholders, patterns and examples.
- What the text allows or says is optional or to be created, was removed, is generated or belongs to the reader; what git ignores.
- Headers of the C and C++ standards and of POSIX, and names that only show how to sort.
- Folders that are links or submodules.
- Links to pages of the hosting site (`../../issues`), above the root, or to a site without a scheme.
- README files below a folder of documentation: what they link to may be written by a site generator.
- Documents inside tests, examples, templates and copies of a release, and those of a copied project: a folder with a licence and no manifest.
- A type behind its package (`pkg/proc/BinaryInfo`), and lists that end with "etc".
- A makefile with computed targets, and a tool that runs installed programs as well as scripts, get the benefit of the doubt.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from urllib.parse import unquote

from msgspec import Struct

from crimes.api import (
    NAMES,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Measure,
    Mention,
    Names,
    NeedKind,
    NoOptions,
    Pass,
    Place,
    Related,
    Severity,
    Signal,
    needs,
    quoted_names,
    regex,
)

INSTRUCTIONS = regex(
    r"(^|/)((AGENTS|CLAUDE|GEMINI|copilot-instructions)\.md|\.(cursor|windsurf|cline)rules"
    r"|\.cursor/rules/.+\.mdc?|\.github/instructions/.+\.md)$"
)
# With a language at most: `README.zh-CN.md`.
GUIDES = regex(r"(^|/)(readme|contributing)([._-][a-z]{2}([-_][a-z]{2,4})?)?\.(md|markdown)$", re.IGNORECASE)
README = regex(r"(^|/)readme[^/]*$", re.IGNORECASE)
SITE_SOURCE = regex(r"(^|/)_*(docs?|documentation|website|site|guides?|pages|content)/", re.IGNORECASE)
# Documents about another project: a template, a test fixture, or vendored code.
FOREIGN_DOCUMENT = regex(
    r"(^|/)(_*(tests?|testdata|examples?|samples?|demos?|starters?|vendor(ed)?|third[-_]?party|node_modules|archived?)_*"
    r"|[^/]*(template|boilerplate|fixture|release[-_]notes|\{\{)[^/]*|[^/]*[-_.]v?\d+\.\d+[^/]*)/",
    re.IGNORECASE,
    within=500,
)

# Between these lines a tool writes the documentation of a crate.
WRITTEN_FROM_CODE = regex(
    r"<!-- (cargo-rdme|cargo-sync-readme) start -->.*?(?:<!-- \1 end -->|\Z)", re.DOTALL
)
QUOTED = regex(r'"(?=([^"\n]{1,200}+)")')  # a quote may close one and open the next
CRATE_ROOTS = ("src/lib.rs", "src/main.rs")

COMMAND_WHY = "Whoever follows the document runs a command that fails."
NAME_WHY = "Whoever follows the document, a person or an agent, looks for something that is not there."
MAX_NAMED = 3
MAX_HINTS = 20  # enough for a document full of dead links

PATH = regex(r"[\w.@+()\[\]-]+(/[\w.@+()\[\]-]+)*/?$", re.ASCII)
FILE_NAME = regex(
    r"\w[\w.+-]*\.(py|pyi|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|ps1|sql|mdx?|mdc"
    r"|rst|txt|jsonc?|ya?ml|toml|ini|cfg|html|s?css|graphql|proto|prisma|ipynb|mk)$",
    re.ASCII,
)
# Names of products and values that look like file names.
NOT_A_FILE = regex(r"([A-Z]\w*|node|next|nuxt|vue|three|d3|express)\.js$|(item|re[sq]\w*)\.(json|html)$")
# A type behind the folder of its package: `pkg/proc/BinaryInfo`.
TYPE_IN_PACKAGE = regex(r".+/[A-Z]\w*[a-z]\w*$", within=500)
# Beside a document, these say that its folder is a project of its own that was copied here, unless a manifest is there too.
LICENCES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING", "COPYING.txt")
MANIFESTS = (
    *(
        "package.json",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "Cargo.toml",
        "go.mod",
        "composer.json",
        "pom.xml",
    ),
    *("build.gradle", "build.gradle.kts", "Gemfile", "CMakeLists.txt", "Package.swift", "build.sbt"),
)
# Headers of the C and C++ standards and of POSIX, without their folders.
STANDARD_HEADER = regex(
    r"(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|std(align|arg|atomic|bool|def|int|io|lib|noreturn)"
    r"|string|tgmath|threads|time|u?char|wchar|wctype|aio|cpio|dirent|dlfcn|fcntl|fmtmsg|fnmatch|ftw|getopt|glob|grp|iconv|langinfo"
    r"|libgen|monetary|mqueue|ndbm|netdb|nl_types|poll|pthread|pwd|regex|sched|search|semaphore|spawn|strings|stropts|syslog|tar|termios|trace"
    r"|unistd|utime|utmpx|wordexp|malloc|alloca|endian|execinfo|paths|sysexits|windows|winsock2?|objc|curses|ncurses)\.h$"
)
BRACKETS = regex(r"\[[^\]/]{0,200}\]")
POSITION = regex(r"(:\d+([-:]\d+)?|::.*|[#?].*)$")
PLACEHOLDER = regex(
    r"(?i:(^|[/_.-])(path|foo|bar|baz|xxx+|examples?|samples?|placeholder|something|specific|name|namespace|module|your"
    r"|my|some|new|old|kebab|snake|camel|pascal)([/_.-]|$))|(^|/)[A-Z]+_[A-Z_]+\.[a-z]+$|(^|/)[a-zA-Z](\.\w+)?$|\.\.\."
    r"|\b([Yy]our|[Mm]y|[Ss]ome|[Nn]ew)[A-Z]|(^|[^A-Za-z])v?[XYN]([.-]|$)|YYYY|NNN|XX|123|Here\b|[<>{}$*~|\\]"
)
EXAMPLE_PACKAGE = regex(r"\b(?:com|org)/example/")  # real folders, in projects that were generated
# Generated or local files; .gitignore knows about the others.
GENERATED_PATH = regex(
    r"(?i:(^|/)(node_modules|dist|build|out|outputs?|target|coverage|htmlcov|_?site|\.?v?env|te?mp|logs?|cache|results?"
    r"|release|obj|__pycache__|__snapshots__|generated|__generated__|\.(next|nuxt|turbo|cache|git|tox|env[^/]*))(/|$)"
    r"|\.local\b|\.(lock|log|min\.\w+|a|so|dll|dylib|lib|o|obj|exe|class|jar|pyc|whl)$)"
)
# In a heading, or in the paragraph before a list or a command.
EXCUSED_BY_TITLE = regex(
    r"(?i:\b(examples?|e\.g|samples?|templates?|generat\w+|outputs?|creat\w+|expected|remov\w+|delet\w+|planned|future"
    r"|next|naming|conventions?|bundl\w+|credits?|acknowledge?ments?|attributions?|coming soon|layout|patterns?|your (own )?(project|app|repo)\w*|artifacts|not committed)\b)"
)
# In the same sentence, before the mention or right after it.
EXCUSED_BEFORE = regex(
    r"(?i:\b(e\.g|i\.e|examples?|such as|like|creat\w+|add(s|ed|ing)?|new|generat\w+|writ\w+|outputs?|produc\w+"
    r"|sav(e|es|ed|ing)|lands?|renam\w+|mov(e|es|ed|ing)|delet\w+|remov\w+|replac\w+|deprecat\w+|legacy|formerly"
    r"|previous(ly)?|no longer|used to|not|no|don't|doesn't|never|avoid|without|instead of|rather than|if|optional\w*"
    r"|your|their|plac(e|ed|ing)|put|copy|copied|naming|named|called|ignor\w+|migrat\w+|planned|download\w*|clon(e|ed|ing)"
    r"|will|would|could|can|may|might|upstream|overrid\w+|customi[sz]\w+)\b|→|[-=]>|如|新|创建|添加)"
)
EXCUSED_AFTER = regex(
    r"(?i:\W*(\w+ ){0,5}?(not|doesn't|if (it|you|any|present|exists?)|when (it|present)|optional\w*|will"
    r"|(auto-?)?(creat|generat|writ|remov|delet|renam|mov|replac|gitignor|ignor|produc)\w*|built|deprecated)\b|\W*([\w./*-]+\W+){0,4}?(etc|and so on)\b|\W*(→|[-=]>|[(（]?(예정|予定|计划中|待补)))"
)
# Around a link: the file is for readers to add.
OPTIONAL = regex(
    r"(?i:\boptional\w*|\b(creat|add)(e|es|ing)? (this|that|such an?|an?|the|your own) \w+|\bwill override|\bif you have an?\b"
    r"|\bif (it|they|this file|the file)( is| are)? (exists?|present)|\byour own\b)"
)
# A permission, about other repositories, or about the order or the spelling of names, for which any name will do.
EXCUSED_ANYWHERE = regex(
    r"(?i:\b(or|and) similar\b|\brepo(sitory)?['’]s\b|\b(fine|free|okay) to\b|\bsort(s|ed|ing)?\b|\balphabetical\w*|\bbranch(es)?\b|\bgit-?ignored|\b(that|another|other|separate|standalone|template|starter|companion) repo)"
)
# Links to pages of the hosting site, or of a site built from the documents.
HOSTED_LINK = regex(
    r"(\.?\.?/)*([\w.-]+/[\w.-]+/)?(issues|pulls?|wiki|releases|discussions|actions|tree|blob|raw|edit|commits?|security|compare|tags"
    r"|branches|graphs|network|stargazers|projects|labels|milestones?|packages|fork|archive)(/|$)"
    r"|.*://|.*\.html$|/[^.]*$|www\.|[\w-]+(\.[\w-]+)*\.(com|org|net|io|dev|app)(/|$)"
)


class Claim(Struct, frozen=True):
    """Something a mention claims to exist."""

    kind: NeedKind
    name: str
    is_link: bool = False


def claims(mention: Mention, is_instructions: bool, names: Names, folder: str) -> Iterator[Claim]:
    """What a mention clearly claims to exist."""
    if mention.kind == "link":
        target = unquote(POSITION.sub("", mention.text))
        if target and not HOSTED_LINK.match(target):
            yield Claim(NeedKind.FILE, target, is_link=True)
    elif mention.kind == "code" and " " not in mention.text:
        path = POSITION.sub("", mention.text)
        is_product = NOT_A_FILE.match(path) or STANDARD_HEADER.match(path)
        if TYPE_IN_PACKAGE.match(path):
            return
        is_file_name = is_instructions and FILE_NAME.match(path) and not is_product
        if is_file_name or is_path(path, names, folder):
            yield Claim(NeedKind.FILE, path)
    else:
        for need in needs(mention.text):
            if need.kind is not NeedKind.FILE or is_path(need.name, names, folder):
                yield Claim(need.kind, need.name)


def is_path(text: str, names: Names, folder: str) -> bool:
    """Whether this can only be a path of the repository: in an existing folder, or relative to this one."""
    first, slash, _ = text.removeprefix("./").partition("/")
    if not PATH.match(text) or not slash:
        return False
    if text.startswith(("../", "./")):
        return True
    if first.startswith(".") and first != ".github":
        return False  # a tool's folder in any project: .vscode/mcp.json
    return first.lower() in names.folders or posixpath.join(folder, first).lower() in names.folders


def recipes(kind: NeedKind, names: Names, folder: str) -> frozenset[str] | None:
    """The scripts or targets a document in this folder can call; None if unknown."""
    if kind is NeedKind.SCRIPT:
        return names.package_scripts or None
    return names.make_targets(folder) if kind is NeedKind.TARGET else names.just_recipes(folder)


def is_missing(claim: Claim, names: Names, folder: str) -> bool:
    """Whether nothing of this repository has that name."""
    if claim.kind is not NeedKind.FILE:
        known = recipes(claim.kind, names, folder)
        return known is not None and claim.name not in known and not names.is_at(claim.name)
    places = possible_paths(claim.name, folder)
    if claim.is_link:
        if places[0].startswith("../") and claim.name.startswith("."):
            return False  # above the root: a page of the hosting site, or another checkout
        return not any(names.is_at(path) or names.is_ignored(path) for path in places)
    return not any(
        path.startswith("../")  # another checkout beside this one
        or names.has_ending(path)
        or names.is_ignored(path)
        or names.is_at(path.partition("/")[2])  # relative to the folder above the repository
        for path in places
    )


def possible_paths(name: str, folder: str) -> tuple[str, str]:
    """What a path may mean: relative to the document, and to the root."""
    name = name.lstrip("/")
    return posixpath.normpath(posixpath.join(folder, name)), posixpath.normpath(name)


class Document(Struct, frozen=True):
    """The text of a document, taken apart once for all that it claims."""

    lines: list[str]
    quoted: frozenset[str]  # what it has in double quotes
    copied: tuple[
        tuple[int, int], ...
    ]  # first and last lines of what a tool writes from the comments of a crate


def read_document(text: str) -> Document:
    copied, line, counted = [], 1, 0
    for match in WRITTEN_FROM_CODE.finditer(text):
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        copied.append((line, line + match.group().count("\n")))
    return Document(text.split("\n"), frozenset(QUOTED.findall(text)), tuple(copied))


def is_excused(claim: Claim, mention: Mention, names: Names, document: Document) -> bool:
    """Whether the text says that it need not exist: a placeholder, an example, something to create or remove."""
    if PLACEHOLDER.search(EXAMPLE_PACKAGE.sub("", claim.name)) or not names.brackets.issuperset(
        BRACKETS.findall(claim.name.lower())
    ):
        return True
    if claim.kind is not NeedKind.FILE:
        return claim.name in document.quoted  # a script for readers to add to their own package
    if mention.kind == "link":
        line = document.lines[mention.line - 1 : mention.line]  # a row of a table says it in another cell
        return any(map(OPTIONAL.search, (mention.context.rpartition("\n")[2], *line)))
    *titles, block = mention.context.split("\n")
    if mention.kind == "command":
        titles, block = [*titles, block], ""
    before, _, after = block.partition(mention.text)
    sentence = re.split(r"(?<!e\.g)(?<!i\.e)[.;!?] ", before)[-1]
    return bool(
        GENERATED_PATH.search(claim.name)
        or any(map(EXCUSED_BY_TITLE.search, titles))
        or EXCUSED_BEFORE.search(sentence)
        or EXCUSED_AFTER.match(after)
        or EXCUSED_ANYWHERE.search(mention.context)
    )


def nearest_name(claim: Claim, names: Names, folder: str) -> str:
    """The existing name that may have been meant; empty if there is none."""
    if claim.kind is not NeedKind.FILE:
        known = sorted(recipes(claim.kind, names, folder) or ())
        return next(iter(get_close_matches(claim.name, known, 1, 0.75)), "")
    here, path = possible_paths(claim.name, folder)
    path = here if path.startswith("../") else path
    beside = {posixpath.basename(other): other for other in names.beside(path)}
    moved = names.namesakes(path)[:200]
    matches = get_close_matches(path, moved, 1, 0.7 if len(moved) == 1 else 0.85)  # index.ts is everywhere
    matches = matches or get_close_matches(posixpath.basename(path), beside, 1, 0.8)
    return beside.get(matches[0], matches[0]) if matches else ""


class Stale(Struct, frozen=True):
    """A claim of one document that does not hold, with its mentions and the shallowest path that is missing."""

    path: str
    is_instructions: bool
    claim: Claim
    mentions: tuple[Mention, ...]
    missing: str  # a folder that holds what is claimed, or that itself
    source: str = ""  # the file whose comments a tool copies to where this stands


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    names = scan[NAMES]
    groups: dict[tuple[NeedKind, str], list[Stale]] = {}
    for file in scan.repo.files.values():
        if file.facts.mentions:
            for stale in stale_claims(file, names):
                groups.setdefault((stale.claim.kind, stale.missing), []).append(stale)
    for number, group in enumerate(merged_by_document(groups.values())):
        group.sort(key=lambda stale: (not stale.is_instructions, stale.path, stale.mentions[0].line))
        folder = posixpath.dirname(group[0].path)
        is_single = len({stale.claim.name for stale in group}) == 1
        hint = nearest_name(group[0].claim, names, folder) if number < MAX_HINTS and is_single else ""
        yield report(group, hint if is_in_project(group[0].claim, hint, folder) else "")


def merged_by_document(groups: Iterable[list[Stale]]) -> list[list[Stale]]:
    """The groups, with those about paths that only one document names joined to one for each document."""
    merged: dict[str, list[Stale]] = {}
    others = []
    for group in groups:
        documents = {stale.path for stale in group}
        if len(documents) == 1 and is_file(group[0].claim):
            merged.setdefault(documents.pop(), []).extend(group)
        else:
            others.append(group)
    return [*others, *merged.values()]


def is_in_project(claim: Claim, hint: str, folder: str) -> bool:
    """Whether a similar name may be what a document means: not a file of another project of the repository."""
    if not is_file(claim) or claim.name.startswith("..") or not folder:
        return True
    return hint.partition("/")[0] == folder.partition("/")[0]


def stale_claims(file: File, names: Names) -> Iterator[Stale]:
    """What a document claims to exist, and nothing excuses."""
    path = file.path
    is_instructions = bool(INSTRUCTIONS.search(path))
    if FOREIGN_DOCUMENT.search(path) or not (is_instructions or is_guide(path)):
        return
    folder = posixpath.dirname(path)
    if is_copied_project(folder, names):
        return
    document = read_document(names.text(path))
    missing: dict[Claim, list[Mention]] = {}
    excused: set[Claim] = set()  # an excuse holds for the whole document
    for mention in file.facts.mentions:
        for claim in claims(mention, is_instructions, names, folder):
            if is_missing(claim, names, folder) and (is_instructions or is_certain(claim, path, names)):
                missing.setdefault(claim, []).append(mention)
                if is_excused(claim, mention, names, document):
                    excused.add(claim)
    stems = {stem_of(claim.name) for claim in excused}  # `conf/app`, of which `conf/app.js` is an example
    for claim, mentions in missing.items():
        if stem_of(claim.name) not in stems:
            root = claim.name
            if claim.kind is NeedKind.FILE:
                root = missing_root(resolved(claim, names, folder), names)
            source = source_of(mentions[0].line, document, folder, names)
            yield Stale(path, is_instructions, claim, tuple(mentions), root, source)


def is_copied_project(folder: str, names: Names) -> bool:
    """Whether a folder has a licence of its own and no manifest: another project's files, with its documents."""

    def has_any(files: Iterable[str]) -> bool:
        return any(names.is_at(posixpath.join(folder, file)) for file in files)

    return bool(folder) and has_any(LICENCES) and not has_any(MANIFESTS)


def stem_of(name: str) -> str:
    """A path without its extension and the mark of what is written from it: `app.min.js` is written from `app.js`."""
    return posixpath.splitext(name)[0].removesuffix(".min")


def source_of(line: int, document: Document, folder: str, names: Names) -> str:
    """The root file of a crate, if a tool copies its comments to this line; else empty."""
    at = bisect_right(document.copied, (line, len(document.lines)))
    if not at or document.copied[at - 1][1] < line:
        return ""
    roots = (posixpath.join(folder, root) for root in CRATE_ROOTS)
    return next((root for root in roots if names.is_at(root)), "")


def is_guide(path: str) -> bool:
    """Whether it is a README or CONTRIBUTING file that no site generator reads."""
    return bool(GUIDES.search(path)) and not SITE_SOURCE.search(path)


def is_certain(claim: Claim, path: str, names: Names) -> bool:
    """Whether a guide for readers can only mean this repository: a link, a path in a folder that exists, a command for contributors."""
    if claim.kind is not NeedKind.FILE:
        return not README.search(path)
    parent = posixpath.dirname(resolved(claim, names, posixpath.dirname(path))).lower()
    return claim.is_link or (bool(parent) and parent in names.folders)


def resolved(claim: Claim, names: Names, folder: str) -> str:
    """The path that a claim most likely means: beside the document, if its first folder is there."""
    here, from_root = possible_paths(claim.name, folder)
    first = posixpath.normpath(posixpath.join(folder, claim.name.lstrip("/").partition("/")[0])).lower()
    return here if claim.is_link or claim.name.startswith(".") or first in names.folders else from_root


def missing_root(path: str, names: Names) -> str:
    """The shallowest folder on the way to a path that does not exist; the path itself if its folder does."""
    parts = path.split("/")
    for length in range(1, len(parts)):
        folder = "/".join(parts[:length])
        if folder.lower() not in names.folders and folder not in ("..", "."):
            return folder + "/"
    return path


def report(group: list[Stale], hint: str) -> Finding:
    stale = group[0]
    claim, first = stale.claim, stale.mentions[0]
    total = sum(len(member.mentions) for member in group)
    places = [(member.path, mention.line) for member in group for mention in member.mentions][1:]
    what = what_is_missing(group)
    how = {"link": "links to", "code": "names", "command": "tells the reader to use"}[first.kind]
    documents = len({member.path for member in group})
    is_list = len({member.missing for member in group}) > 1  # says how many
    spread = f" in {documents} documents" if documents > 1 else ""
    times = f" ({total} mentions{spread})" if total > 1 and not is_list else ""
    is_command = any(
        mention.kind == "command" for member in group if member.is_instructions for mention in member.mentions
    )
    return Finding(
        Place(stale.path, first.line, first.line),
        Severity.MEDIUM if is_command else Severity.LOW,
        f"`{stale.path}` {how} {what}{times}.",
        (
            Signal(
                first.kind,
                Category.DOCS,
                70 if first.kind == "code" else 85,  # a link or a command is meant to be followed
                {
                    "link": "a link in the parsed document",
                    "code": "code quotes in the parsed document",
                    "command": "a command in the parsed document",
                }[first.kind],
            ),
            Signal(
                "similar name" if hint else "no such name",
                Category.GRAPH,
                80 if hint else 65,
                f"no {claim.kind} in the repository has this name"
                + (", and one with a similar name exists" if hint else ""),
            ),
        ),
        evidence={"mentions": Measure(total), "missing": Measure(identity(group))}
        | ({"near": Measure(hint)} if hint else {}),
        related=(
            *((Related(Place(hint, 1, 1), "the closest existing name"),) if hint and is_file(claim) else ()),
            *(Related(Place(path, line, line), "also names it") for path, line in places),
        ),
        discriminator=f"{claim.kind} {identity(group)}",
        why=COMMAND_WHY if first.kind == "command" else NAME_WHY,
        fix=_fix(stale, hint),
    )


def _fix(stale: Stale, hint: str) -> str:
    """What to change, and where; empty if the page says all."""
    if stale.source:
        return f"A tool copies this part from the comments of `{stale.source}`: change it there, then write the document anew."
    return f"Change it to `{hint}` if that is what is meant; otherwise remove the mention." if hint else ""


def is_file(claim: Claim) -> bool:
    return claim.kind is NeedKind.FILE


def identity(group: list[Stale]) -> str:
    """The name as written if all mentions agree, else the folder that is missing; "paths" for several of a document."""
    if len({stale.missing for stale in group}) > 1:
        return "paths"
    written = {stale.claim.name for stale in group}
    return group[0].claim.name if len(written) == 1 else group[0].missing


def what_is_missing(group: list[Stale]) -> str:
    claim = group[0].claim
    if not is_file(claim):
        return f"the {claim.kind} `{claim.name}`, which does not exist"
    written = list(dict.fromkeys(stale.claim.name for stale in group))
    if len({stale.missing for stale in group}) > 1:
        return f"{len(written)} paths that do not exist: {quoted_names(written, MAX_NAMED)}"
    if len(written) == 1 or not group[0].missing.endswith("/"):
        return f"`{claim.name}`, which does not exist"
    return f"{len(written)} paths in `{group[0].missing}`, which does not exist"


DETECTOR = Detector(
    id="stale_instruction",
    title="Stale instruction",
    category="agents",
    doc=__doc__,
    languages=("markdown",),
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    detect=detect,
    needs=(NAMES,),
    examples=(
        Example(
            "a make target that does not exist",
            {
                "AGENTS.md": "# Rules\n\n```sh\nmake tests\n```\n",
                "Makefile": "test:\n\tpytest\n",
            },
            finds=("AGENTS.md:4",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a file that was moved is low: no command needs it",
            {
                "AGENTS.md": "# Rules\n\nThe tax rules are in `billing/tax.py`.\n",
                "billing/api.py": "import pricing.tax\n",
                "pricing/tax.py": "RATE = 20\n",
            },
            finds=("AGENTS.md:3",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on folders that a permission names",
            {
                "AGENTS.md": "It is fine to organise sources under `tests/unit/`, `tests/helpers/` or similar folders.\n",
                "tests/run.py": "print(1)\n",
            },
        ),
        Example(
            "a Cursor rule of a TypeScript workspace names a component and a script that do not exist",
            {
                ".cursor/rules/ui.mdc": "---\nglobs: '*.ts'\n---\n\nExtend `src/ui/Button.ts`.\nThen run `pnpm run check:types`.\n",
                "package.json": '{"scripts": {"check": "tsc --noEmit"}}',
                "src/ui/Link.ts": "export const Link = 1;\n",
            },
            finds=(".cursor/rules/ui.mdc:5", ".cursor/rules/ui.mdc:6"),
        ),
        Example(
            "a dead link in a README is low",
            {"README.md": "Start with [the guide](docs/guide.md).\n", "docs/start.md": "# Start\n"},
            finds=("README.md:1",),
            severity=Severity.LOW,
        ),
        Example(
            "all dead links of a document are one finding",
            {
                "README.md": "See [start](docs/begin.md), [setup](docs/set_up.md) and [tax](src/com/example/Taxes.kt).\n",
                "docs/start.md": "# Start\n",
                "src/app.py": "print(1)\n",
            },
            finds=("README.md:1",),
        ),
        Example(
            "silent on links to files that readers may add, and on names in capitals that stand for one",
            {
                "README.md": "| File | Purpose |\n|---|---|\n| [words](words.txt) | Replacement dictionary (creating this file will override the default) |\n",
                "CONTRIBUTING.md": "See [our docs]((https://shop.example/README.md)).\n",
                "AGENTS.md": "Add a check in `src/checks/CHECK_TYPE.py`.\nEach has `src/checks/CHECK_TYPE.py`.\n",
                "src/checks/ping.py": "print(1)\n",
            },
        ),
        Example(
            "many links into one missing folder, from two documents, are one finding",
            {
                "README.md": "See [start](manual/start.md), [setup](manual/setup.md) and [tax](manual/deep/tax.md).\n",
                "README.de.md": "Siehe [Start](manual/start.md).\n",
                "src/app.py": "print(1)\n",
            },
            finds=("README.de.md:1",),
        ),
        Example(
            "silent on pages of the hosting site, encoded names, and what readers run in their own project",
            {
                "README.md": "[issues](../../issues), [more](../../../other/wiki/Home), [new](../../issues/new?labels=bug), [page](www.shop.example), "
                "[site](shop.io/docs), [a plan](docs/a%20plan.md), [up](../../../sibling/x.md).\n\n```sh\nnpm run serve\n```\n\nPut it in `src/pages/home.ts`.\n",
                "docs/README.md": "[guide](/guide/start), [install](install.md).\n",
                "docs/a plan.md": "# Plan\n",
                "package.json": '{"scripts": {"dev": "vite"}}',
                "src/app.ts": "export {};\n",
            },
        ),
        Example(
            "silent on a path relative to the document, the root or a package, or without its extension",
            {
                "web/AGENTS.md": "Edit `src/app.ts`, `web/src/app` or `lib/`, see [all](../README.md#top) and `app.ts:12`.\n",
                "README.md": "`cd shop/web` after cloning.\n",
                "web/src/app.ts": "export {};\n",
                "packages/one/lib/index.js": "module.exports = 1;\n",
            },
        ),
        Example(
            "silent on placeholders, patterns, examples, and things to be created, removed, ignored or elsewhere",
            {
                "CLAUDE.md": "# Work\n\n"
                "- Tests of `src/path/to/file.py` are in `src/tests/test_<name>.py`.\n"
                "- Name it by area, e.g. `src/orders.py`.\n"
                "- Create `src/plugin.py` and register it; `src/plugin.py` needs a docstring.\n"
                "- The old `src/legacy.py` is not there any more.\n"
                "- `src/schema.json` is generated.\n"
                "- Settings are read from `src/settings_dev.py` (git-ignored).\n"
                "- The report is `src/report/index.html`.\n"
                "- Fixes go to the branch `src/stable`.\n"
                "- Not paths: `and/or`, `src.main`, `Next.js`, `item.json`, `@scope/pkg`, `origin/main`, `~/x.py`, `/etc/x.conf`.\n",
                ".gitignore": "/src/report/\n",
                "src/main.py": "print(1)\n",
            },
        ),
        Example(
            "silent on standard headers, names that only show an order, and a file that readers may add",
            {
                "AGENTS.md": "# Style\n\n- Includes need `unistd.h`.\n- Imports are sorted, `src/zoo.py` last.\n",
                "src/README.md": "You can override the values with the module at `src/conf`.\n\n## Example (`src/conf.js`)\n\nIt is read from `src/conf.js`.\n",
                "src/main.py": "print(1)\n",
            },
        ),
        Example(
            "silent on a type behind its package, on lists that go on, and on what a build writes",
            {
                "AGENTS.md": "# Parts\n\n- `pkg/proc/BinaryInfo` holds debug symbols.\n- By platform: `regs_amd64.go`, `regs_arm64.go`, etc.\n\n"
                "## Bundles\n\n- `close3.js` / `close3.min.js`: the closing page\n\n## Files\n\n- `worker.js` / `worker.min.js`: the worker\n- `pkg/libproc.a`: the library\n",
                "pkg/proc/bininfo.go": "package proc\n\ntype BinaryInfo struct{}\n",
            },
        ),
        Example(
            "a path in a sentence that ends with a list of other things",
            {
                "integration/README.md": "# Integration\n\nSee `kit/options.go` for the full set of options (servers, users, keys, policy files, rules, etc.).\n",
                "integration/kit/kit.go": "package kit\n",
            },
            finds=("integration/README.md:3",),
        ),
        Example(
            "silent on the documents of a project that was copied here, but not on those of a package",
            {
                "pkg/gui/CONTRIBUTING.md": "By the [licence](LICENSE.md).\n",
                "pkg/gui/LICENSE": "free\n",
                "web/CONTRIBUTING.md": "By the [licence](LICENSE.md).\n",
                "web/LICENSE": "free\n",
                "web/package.json": '{"name": "web"}',
            },
            finds=("web/CONTRIBUTING.md:1",),
        ),
        Example(
            "a header of this repository that was removed",
            {"AGENTS.md": "All types are in `shop_types.h`.\n", "src/shop.c": "int a;\n"},
            finds=("AGENTS.md:1",),
        ),
        Example(
            "a dead link that a tool copied from the comments of a crate",
            {
                "README.md": "# Shop\n\n<!-- cargo-rdme start -->\n\nSee [a field](Field).\n\n<!-- cargo-rdme end -->\n",
                "src/lib.rs": "//! See [a field](Field).\n",
            },
            finds=("README.md:5",),
        ),
        Example(
            "silent on commands that may run an installed program, and targets that cannot be known",
            {
                "AGENTS.md": "```sh\npnpm vitest\nyarn prisma generate\nnpm install\nmake release\ncd my-app\n```\n",
                "Makefile": "include common/*.mk\nall:\n\ttrue\n",
                "package.json": '{"scripts": {"dev": "vite"}}',
            },
        ),
        Example(
            "silent on documents of templates, tests and copies of a release, which are about other projects",
            {
                "tool-1.4.2/README.md": "See [the guide](docs/guide.md).\n",
                "templates/app/README.md": "Start with `npm run start:app`.\n",
                "tests/fixtures/AGENTS.md": "See `tests/none.py`.\n",
                "package.json": '{"scripts": {"dev": "vite"}}',
            },
        ),
    ),
)
