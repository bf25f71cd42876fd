"""A document for agents or contributors names something of this repository that is not there.

## Why it matters

An agent takes its instruction files at their word. A path that was moved, a script that was renamed or a make target
that was removed costs it a failed command at best; at worst it makes the missing file anew, or edits the wrong one.

## What to do

Correct the mention, or remove it. Where the thing still has a reason to exist, restore it.

## What counts

Local links, paths in code quotes, and commands in code quotes or shell blocks: `make`, `just`, the scripts of package
managers, a file handed to an interpreter, `cd`. A path counts when its first folder is one of this repository; a bare
file name only in instruction files. Those are AGENTS.md, CLAUDE.md, GEMINI.md and the rules files of Copilot, Cursor and
others; README and CONTRIBUTING files are reported with low severity.

## What is accepted

Placeholders, patterns and examples; what the text says is to be created, was removed, is generated or belongs to the
reader; what git ignores; folders that are links or submodules; documents inside tests, examples and templates. A makefile
with computed targets, and a tool that runs installed programs as well as scripts, get the benefit of the doubt.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

from crimes.api import (
    NAMES,
    Category,
    Detector,
    Effort,
    Example,
    Finding,
    Measure,
    Mention,
    Names,
    NoOptions,
    Pass,
    Place,
    Related,
    Severity,
    Signal,
)

INSTRUCTIONS = re.compile(
    r"(^|/)((AGENTS|CLAUDE|GEMINI|copilot-instructions)\.md|\.(cursor|windsurf|cline)rules"
    r"|\.cursor/rules/.+\.mdc?|\.github/instructions/.+\.md)$"
)
GUIDES = re.compile(r"(^|/)(readme|contributing)[^/]*\.(md|markdown)$", re.IGNORECASE)
# Documents that speak of another project: one that is made from a template, tested, or taken over.
FOREIGN = re.compile(
    r"(^|/)(_*(tests?|testdata|examples?|samples?|demos?|starters?|vendor(ed)?|third[-_]?party|node_modules|archived?)_*"
    r"|[^/]*(template|boilerplate|fixture|release[-_]notes|\{\{)[^/]*)/",
    re.IGNORECASE,
)

PATH = re.compile(r"[\w.@+()\[\]-]+(/[\w.@+()\[\]-]+)*/?$", re.ASCII)
FILE_NAME = re.compile(
    r"\w[\w.+-]*\.(py|pyi|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|ps1|sql|mdx?|mdc"
    r"|rst|txt|jsonc?|ya?ml|toml|ini|cfg|html|s?css|graphql|proto|prisma|ipynb|mk)$",
    re.ASCII,
)
SCRIPT_NAME = re.compile(r".*\.(sh|bash|py|[cm]?[jt]s|rb|ps1)$")
BRACKETS = re.compile(r"\[[^\]/]*\]")
POSITION = re.compile(r"(:\d+([-:]\d+)?|::.*|[#?].*)$")
PLACEHOLDER = re.compile(
    r"(?i:(^|[/_.-])(path|foo|bar|baz|xxx+|examples?|samples?|placeholder|something|specific|name|namespace|module|your|my|some|new|old|kebab|snake"
    r"|camel|pascal)([/_.-]|$))|(^|/)[a-zA-Z](\.\w+)?$|\.\.\.|\b([Yy]our|[Mm]y|[Ss]ome|[Nn]ew)[A-Z]|(^|[^A-Za-z])v?[XYN]([.-]|$)"
    r"|YYYY|NNN|XX|123|Here\b"
)
# Made by a build or kept on one machine; whatever else is of that kind is asked of .gitignore.
MADE = re.compile(
    r"(?i:(^|/)(node_modules|dist|build|out|outputs?|target|coverage|htmlcov|_?site|\.?v?env|te?mp|logs?|cache|results?"
    r"|release|obj|__pycache__|__snapshots__|generated|__generated__|\.(next|nuxt|turbo|cache|git|tox|env[^/]*))(/|$)"
    r"|\.local\b|\.(lock|log|min\.\w+)$)"
)
# In a heading, or in the paragraph that leads to a list or a command.
EXCUSED_BY_TITLE = re.compile(
    r"(?i:\b(examples?|e\.g|samples?|templates?|generat\w+|outputs?|creat\w+|expected|remov\w+|delet\w+|planned|future"
    r"|next|naming|conventions?|coming soon|layout|patterns?|your (own )?(project|app|repo)\w*|artifacts|not committed)\b)"
)
# In the same sentence, before the mention or right after it.
EXCUSED_BEFORE = re.compile(
    r"(?i:\b(e\.g|i\.e|examples?|such as|like|creat\w+|add(s|ed|ing)?|new|generat\w+|writ\w+|outputs?|produc\w+"
    r"|sav(e|es|ed|ing)|lands?|renam\w+|mov(e|es|ed|ing)|delet\w+|remov\w+|replac\w+|deprecat\w+|legacy|formerly"
    r"|previous(ly)?|no longer|used to|not|no|don't|doesn't|never|avoid|without|instead of|rather than|if|optional\w*"
    r"|your|their|plac(e|ed|ing)|copy|copied|naming|named|called|ignor\w+|migrat\w+|planned|download\w*|clon(e|ed|ing)"
    r"|will|would|could|may|might|upstream)\b|→|[-=]>|如|新|创建|添加)"
)
EXCUSED_AFTER = re.compile(
    r"(?i:\W*(\w+ ){0,5}?(not|doesn't|if (it|you|any|present|exists?)|when (it|present)|optional\w*|will"
    r"|(auto-?)?(creat|generat|writ|remov|delet|renam|mov|replac|gitignor|ignor|produc)\w*|built|deprecated)\b|\W*(→|[-=]>))"
)
EXCUSED_ANYWHERE = re.compile(r"(?i:\bbranch(es)?\b|\bgit-?ignored|\b(that|another|other|separate) repo)")
# Links to pages of the hosting site, or of a site that is built from the document.
HOSTED = re.compile(
    r"(\.\./)+(issues|pulls?|wiki|releases|discussions|actions|tree|blob|commits?|security|compare|tags)(/|$)"
    r"|.*\.html$|/([^.]*/)*[^.]*$"
)
OPEN = re.compile(r"<[\w -]+>|\[[\w -]+\]|\{[\w -]+\}|\.\.\.|…")  # a command that the reader completes

INTERPRETERS = frozenset(
    {
        "python",
        "python3",
        "node",
        "bash",
        "sh",
        "zsh",
        "source",
        ".",
        "tsx",
        "ts-node",
        "ruby",
        "pytest",
        "cat",
    }
)
LAUNCHERS = frozenset({"sudo", "time", "env", "npx", "exec", "uv", "poetry", "pipenv", "pdm", "run"})
MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
PROSE = frozenset({"a", "and", "it", "make", "or", "sure", "the", "then"})
# Names nobody gives to an installed program: `yarn NAME` and `pnpm NAME` can only mean a script.
SCRIPT_WORDS = frozenset({"build", "dev", "format", "lint", "start", "test", "typecheck", "type-check"})

FILE, SCRIPT, TARGET, RECIPE = "file or folder", "package script", "make target", "recipe"


@dataclass(frozen=True)
class Claim:
    """Something a mention says is there."""

    what: str
    name: str
    is_link: bool = False


def claims(mention: Mention, instructions: bool, names: Names, folder: str) -> Iterator[Claim]:
    """What a mention says is there, where it says so beyond doubt."""
    if mention.kind == "link":
        target = POSITION.sub("", mention.text)
        if target and not HOSTED.match(target):
            yield Claim(FILE, target, is_link=True)
        return
    if mention.kind == "code" and " " not in mention.text:
        path = POSITION.sub("", mention.text)
        if is_path(path, names, folder) or (instructions and FILE_NAME.match(path)):
            yield Claim(FILE, path)
        return
    for words in () if OPEN.search(mention.text) else commands(mention.text):
        for claim in command_claims(words):
            if claim.what != FILE or is_path(claim.name, names, folder):
                yield claim


def is_path(text: str, names: Names, folder: str) -> bool:
    """Whether this can only be a path of the repository: below a folder that is there, or from here."""
    first, slash, _ = text.removeprefix("./").partition("/")
    if not PATH.match(text) or not slash:
        return False
    if text.startswith(("../", "./")):
        return True
    if first.startswith(".") and first != ".github":
        return False  # where a tool looks in any project: .vscode/mcp.json
    return first.lower() in names.folders or posixpath.join(folder, first).lower() in names.folders


def commands(text: str) -> Iterator[list[str]]:
    """The simple commands of a command line, as words, without what only launches them."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:  # an open quote: not a whole command
        return
    simple: list[str] = []
    for word in (*words, ";"):
        if set(word) <= set(";&|()<>"):
            yield simple
            simple = [">"] if ">" in word or "<" in word else []
        elif simple or not (word in LAUNCHERS or "=" in word):
            simple.append(word)


def command_claims(words: list[str]) -> Iterator[Claim]:
    """What a simple command needs to be there."""
    if not words:
        return
    tool, rest = words[0], words[1:]
    plain = [word for word in rest if not word.startswith("-") and "=" not in word]
    if tool in MANAGERS:
        yield from script_claims(tool, rest)
    elif tool in ("make", "just"):
        if not any(word.startswith(("-C", "-f", "--directory", "--file", "--justfile")) for word in rest):
            numbers = {after for word, after in pairwise(rest) if word == "-j"}
            wanted = [word for word in plain if word not in numbers and word not in PROSE]
            for name in wanted if tool == "make" else wanted[:1]:
                yield Claim(TARGET if tool == "make" else RECIPE, name)
    elif tool in INTERPRETERS:
        if plain and not {"-m", "-c", "-e"} & set(rest):
            yield Claim(FILE, POSITION.sub("", plain[0]))
    elif tool == "cd":
        yield from (Claim(FILE, word) for word in plain[:1] if not word.startswith("."))
    elif SCRIPT_NAME.match(tool):
        yield Claim(FILE, tool)


def script_claims(tool: str, rest: list[str]) -> Iterator[Claim]:
    """`npm run x` needs a script; `yarn x` may as well be an installed program, unless it cannot be one's name."""
    options_with_value = ("-w", "-F", "-C", "--filter", "--workspace", "--prefix", "--dir", "--cwd")
    plain = [
        word
        for before, word in zip(["", *rest], rest, strict=False)
        if not word.startswith("-") and before not in options_with_value
    ]
    if tool == "yarn" and plain[:1] == ["workspace"]:
        plain = plain[2:]
    runs = plain[:1] in (["run"], ["run-script"])
    plain = plain[1:] if runs else plain
    if not plain or "/" in plain[0] or "." in plain[0]:
        return
    sure = (runs and tool in ("npm", "pnpm")) or ":" in plain[0]
    if sure or plain[0] == "test" or (tool in ("yarn", "pnpm") and plain[0] in SCRIPT_WORDS):
        yield Claim(SCRIPT, plain[0])


def is_missing(claim: Claim, names: Names, folder: str) -> bool:
    """Whether nothing of this repository has that name."""
    if claim.what == SCRIPT:
        return bool(names.package_scripts) and claim.name not in names.package_scripts
    if claim.what in (TARGET, RECIPE):
        known = names.make_targets(folder) if claim.what == TARGET else names.just_recipes(folder)
        return known is not None and claim.name not in known and not names.is_at(claim.name)
    from_here, from_root = possible_paths(claim.name, folder)
    if claim.is_link:
        return not any(names.is_at(path) or names.is_ignored(path) for path in (from_here, from_root))
    return not any(
        path.startswith("../")  # another checkout beside this one
        or names.ends(path)
        or names.is_ignored(path)
        or names.is_at(path.partition("/")[2])  # said from the folder the repository lies in
        for path in (from_here, from_root)
    )


def possible_paths(name: str, folder: str) -> tuple[str, str]:
    """What a path may mean: seen from the document, and from the root."""
    name = name.lstrip("/")
    return posixpath.normpath(posixpath.join(folder, name)), posixpath.normpath(name)


def is_excused(claim: Claim, mention: Mention, names: Names, document: str) -> bool:
    """Whether the words say that it need not be there: a placeholder, an example, something to be made or gone."""
    if any(part.lower() not in names.brackets for part in BRACKETS.findall(claim.name)):
        return True
    if PLACEHOLDER.search(claim.name) or re.search(r"[<>{}$*~|\\]", claim.name):
        return True
    if claim.what != FILE:
        return f'"{claim.name}"' in document  # a script shown for readers to put in their own package
    *titles, block = mention.context.split("\n")
    if mention.kind == "command":
        titles, block = [*titles, block], ""
    if mention.kind == "link":
        return False  # a link is followed, whatever is said around it
    before, _, after = block.partition(mention.text)
    sentence = re.split(r"(?<!e\.g)(?<!i\.e)[.;!?] ", before)[-1]
    return bool(
        MADE.search(claim.name)
        or any(map(EXCUSED_BY_TITLE.search, titles))
        or EXCUSED_BEFORE.search(sentence)
        or EXCUSED_AFTER.match(after)
        or EXCUSED_ANYWHERE.search(mention.context)
    )


def near(claim: Claim, names: Names, folder: str) -> str:
    """What may have been meant, or nothing."""
    if claim.what != FILE:
        known: Iterable[str] = names.package_scripts
        if claim.what != SCRIPT:
            known = (names.make_targets(folder) if claim.what == TARGET else names.just_recipes(folder)) or ()
        return next(iter(get_close_matches(claim.name, sorted(known), 1, 0.75)), "")
    here, path = possible_paths(claim.name, folder)
    path = here if path.startswith("../") else path
    beside = {posixpath.basename(other): other for other in names.beside(path)}
    moved = names.moved(path)[:200]
    found = get_close_matches(path, moved, 1, 0.7 if len(moved) == 1 else 0.85)  # index.ts is everywhere
    found = found or get_close_matches(posixpath.basename(path), beside, 1, 0.8)
    return beside.get(found[0], found[0]) if found else ""


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    names = scan[NAMES]
    for file in scan.repo.files.values():
        instructions = bool(INSTRUCTIONS.search(file.path))
        if not (instructions or GUIDES.search(file.path)) or FOREIGN.search(file.path):
            continue
        folder = posixpath.dirname(file.path)
        missing: dict[Claim, list[Mention]] = {}
        excused: set[Claim] = set()  # what is explained once is explained for the whole document
        for mention in file.facts.mentions:
            for claim in claims(mention, instructions, names, folder):
                if is_missing(claim, names, folder):
                    missing.setdefault(claim, []).append(mention)
                    if is_excused(claim, mention, names, names.text(file.path)):
                        excused.add(claim)
        for claim, mentions in missing.items():
            if claim in excused:
                continue
            yield report(file.path, instructions, claim, mentions, near(claim, names, folder))


def report(path: str, instructions: bool, claim: Claim, mentions: list[Mention], meant: str) -> Finding:
    first = mentions[0]
    how = {"link": "links to", "code": "names", "command": "tells the reader to use"}[first.kind]
    hint = f"Perhaps `{meant}` is meant." if meant else "Correct the mention or remove it."
    agree = 2 if meant else 1
    return Finding(
        Place(path, first.line, first.line),
        Severity.MEDIUM if instructions else Severity.LOW,
        f"This document {how} `{claim.name}`, and no {claim.what} of that name is in the repository: whoever follows it "
        f"runs into an error, or makes the missing thing anew. {hint}",
        (
            Signal("document", Category.SYNTAX, 80, f"a {first.kind} mention in the parsed document"),
            Signal(
                "tree",
                Category.GRAPH,
                (65, 80)[agree - 1],
                f"no {claim.what} of the repository has this name",
            ),
        ),
        evidence={"mentions": Measure(len(mentions)), "missing": Measure(claim.name)}
        | ({"near": Measure(meant)} if meant else {}),
        related=(Related(Place(meant, 1, 1), "the nearest name that is there"),)
        if meant and claim.what == FILE
        else (),
        discriminator=f"{claim.what} {claim.name}",
    )


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
            "a file that was moved, and a make target that is gone",
            {
                "AGENTS.md": "# Rules\n\nThe tax rules are in `billing/tax.py`.\n\n```sh\nmake tests\n```\n",
                "Makefile": "test:\n\tpytest\n",
                "billing/api.py": "import pricing.tax\n",
                "pricing/tax.py": "RATE = 20\n",
            },
            finds=("AGENTS.md:3", "AGENTS.md:6"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a Cursor rule of a TypeScript workspace names a component and a script that are gone",
            {
                ".cursor/rules/ui.mdc": "---\nglobs: '*.ts'\n---\n\nExtend `src/ui/Button.ts`.\nThen run `pnpm run check:types`.\n",
                "package.json": '{"scripts": {"check": "tsc --noEmit"}}',
                "src/ui/Link.ts": "export const Link = 1;\n",
            },
            finds=(".cursor/rules/ui.mdc:5", ".cursor/rules/ui.mdc:6"),
        ),
        Example(
            "a dead link in a README weighs less",
            {"README.md": "Start with [the guide](docs/guide.md).\n", "docs/start.md": "# Start\n"},
            finds=("README.md:1",),
            severity=Severity.LOW,
        ),
        Example(
            "a path is found from the document, from the root, from a package, without its extension",
            {
                "web/AGENTS.md": "Edit `src/app.ts`, `web/src/app` or `lib/`, see [all](../README.md#top) and `app.ts:12`.\n",
                "README.md": "`cd shop/web` after cloning.\n",
                "web/src/app.ts": "export {};\n",
                "packages/one/lib/index.js": "module.exports = 1;\n",
            },
        ),
        Example(
            "placeholders, patterns, examples, things to be made, gone, ignored or elsewhere",
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
                "- Not paths: `and/or`, `src.main`, `@scope/pkg`, `origin/main`, `~/x.py`, `/etc/x.conf`.\n",
                ".gitignore": "/src/report/\n",
                "src/main.py": "print(1)\n",
            },
        ),
        Example(
            "commands that may run an installed program, and targets that cannot be known",
            {
                "AGENTS.md": "```sh\npnpm vitest\nyarn prisma generate\nnpm install\nmake release\ncd my-app\n```\n",
                "Makefile": "include common/*.mk\nall:\n\ttrue\n",
                "package.json": '{"scripts": {"dev": "vite"}}',
            },
        ),
        Example(
            "documents of templates and tests speak of other projects",
            {
                "templates/app/README.md": "Start with `npm run start:app`.\n",
                "tests/fixtures/AGENTS.md": "See `tests/none.py`.\n",
                "package.json": '{"scripts": {"dev": "vite"}}',
            },
        ),
    ),
)
