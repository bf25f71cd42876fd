"""Nothing imports a file, and nothing mentions it.

A file is an orphan only among files that are used: most of its neighbours are imported, and this one is not.

## Why it matters

The file looks alive: it turns up in searches, gets edited in refactorings, and serves as a model for new code. Fixing it
changes nothing.

## What to do

Delete the file, since git keeps it, or mention it where it is loaded so that the next reader finds the connection.

## Before

```text
shop/
    carts.py       imported by shop/main.py
    orders.py      imported by shop/main.py, shop/carts.py
    prices.py      imported by shop/orders.py
    old_rates.py   imported by nothing, mentioned nowhere
```

## After

```text
$ git rm shop/old_rates.py
shop/
    carts.py       imported by shop/main.py
    orders.py      imported by shop/main.py, shop/carts.py
    prices.py      imported by shop/orders.py
```

## What it does not report

- Folders whose files are found by listing them: plugins, commands, migrations, routes. More than a few of their files have no
  importer, or the file has a class with the same base as its neighbours.
- Entry points: files that run when they are started, that have a conventional name, or that a manifest, a script, a page or another
  setting names.
- Folders that a build file takes whole: `src/video/*.c`.
- Files whose name, or a name they define, occurs anywhere else: in an import, a call, a string, a comment, a document, a script without an
  extension, or any other text file.
- Tests, examples, scripts, generated files, stubs, configuration, and languages whose files see each other without an import.
- Components of frameworks that are found by their tag, and what a decorator registers.
- Component kits that are copied in as a whole: folders called `ui` or `primitives`.
- Files that only tests import: they are tested, and the test says what for.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from crimes.api import (
    ANY,
    HISTORY,
    IMPORT_GRAPH,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    History,
    Measure,
    Pass,
    Repo,
    Role,
    Severity,
    Signal,
    at_file,
    count,
    option,
    regex,
)

WORD = regex(r"[A-Za-z_][\w-]*")
SEPARATORS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "_-")}
ENTRY_NAME = regex(
    r"(?i)_*(?:index|main|app|server|client|cli|setup|manage|wsgi|asgi|conftest|settings|config|conf|urls|admin|models|tasks|signals"
    r"|apps|receivers|handlers|hooks?|page|layout|route|router|routes|error|loading|not-found|template|middleware|instrumentation"
    r"|worker|sw|service-worker|polyfills?|preload|background|content|popup|env|version|about|compat|globals?|types|typings|shims?|init)"
)
# Names with several dots belong to a tool, names that begin with a sign to a router.
CONVENTION = regex(r".*\..*\.|[^A-Za-z_]|_(?!_)[a-z]+\.")
KITS = ("/ui", "/primitives")
STARTS_ITSELF = regex(
    rb"\A#!|__name__\s*==|process\.argv|require\.main|import\.meta\.main|@ts-nocheck|\bdefine\(|self\.onmessage|addEventListener\(['\"]message"
)
SETTINGS = regex(
    r"(?i).*\.(?:toml|cfg|ini|ya?ml|sh|mk|cmake|html?|xml|gradle|nix|in|service|conf|tmpl|j2|jinja2?|ejs|hbs|pug|twig|mdx?|rst|txt|json[c5]?)"
    r"|(?:make|docker|just|proc|rake|jenkins|vagrant|container)file.*"
)
BINARY = regex(
    r"(?i).*\.(?:png|jpe?g|gif|webp|ico|icns|bmp|tiff?|psd|svg|woff2?|ttf|otf|eot|pdf|zip|gz|bz2|xz|zst|tar|tgz|jar|war|whl|exe|dll|so|dylib|a|o|class|pyc"
    r"|mp[34]|m4a|wav|ogg|flac|mov|avi|webm|wasm|db|sqlite3?|bin|dat|parquet|npy|pkl|mo)"
)
MAX_SETTINGS_BYTES = 400_000
MAX_SETTINGS_FILES = 4_000
MAX_LOST_PER_FOLDER = 3
MIN_STILL_DAYS = 180  # without a commit
MIN_NAME_CHARS = 5  # shorter names occur everywhere


@dataclass(frozen=True)
class Options:
    min_logic_lines: int = option(15, "Report files with at least this many lines of code.")
    min_neighbours: int = option(3, "Report only where at least this many files in the folder are imported.")


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    graph, history = scan[IMPORT_GRAPH], scan.get(HISTORY)
    by_folder: dict[str, list[File]] = defaultdict(list)
    for file in scan.repo.files.values():
        if file.role is Role.SOURCE:
            by_folder[posixpath.dirname(file.path)].append(file)
    candidates = {}
    for neighbours in by_folder.values():
        unused = [file for file in neighbours if not graph.importers.get(file.path)]
        used = len(neighbours) - len(unused)
        if used < options.min_neighbours:
            continue
        lost = sum(not is_entry(file.path) for file in unused)
        if lost * 3 <= used and lost <= MAX_LOST_PER_FOLDER:
            for file in unused:
                if is_candidate(file, options) and not shares_a_base(file, neighbours):
                    candidates[file.path] = file
    candidates = dict(sorted(candidates.items()))
    is_named = named_elsewhere(scan.repo, candidates)
    for path, file in candidates.items():
        folder = by_folder[posixpath.dirname(path)]
        if is_named[path] or starts_itself(scan.repo, path):
            continue
        if not occurs_in_source(scan.repo, path):
            used = sum(bool(graph.importers.get(neighbour.path)) for neighbour in folder)
            yield report(file, used, len(folder), days_untouched(history, path) if history else None)


def is_candidate(file: File, options: Options) -> bool:
    facts = file.facts
    if file.role is not Role.SOURCE or facts.logic_lines < options.min_logic_lines:
        return False
    if (
        file.traits.linked_by_build
        or facts.references
        or facts.packages
        or facts.errors
        or file.declares
        or file.embedded
    ):
        return False
    if is_entry(file.path) or len(stem(file.path)) < MIN_NAME_CHARS:
        return False
    if posixpath.dirname(file.path).endswith(KITS):
        return False
    if any(class_.decorators for class_ in facts.classes) or any(
        function.decorators and function.class_index < 0 for function in facts.functions
    ):
        return False
    return bool(own_names(file))


def is_entry(path: str) -> bool:
    """Whether tools or frameworks load a file by its name."""
    return bool(CONVENTION.match(posixpath.basename(path)) or ENTRY_NAME.fullmatch(stem(path)))


def shares_a_base(file: File, neighbours: list[File]) -> bool:
    """Whether two neighbours have classes with the same base: such classes are found by their base."""
    own = {base for class_ in file.facts.classes for base in class_.bases}
    sharing = (
        other
        for other in neighbours
        if other is not file and any(own.intersection(class_.bases) for class_ in other.facts.classes)
    )
    return bool(own) and len(list(islice(sharing, 2))) == 2


def stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0]


def own_names(file: File) -> frozenset[str]:
    """What the file defines that others could name."""
    functions = (function for function in file.facts.functions if function.parent < 0)
    names = {item.name for item in functions if item.class_index < 0 and not item.is_anonymous}
    names.update(class_.name for class_ in file.facts.classes)
    names.update(export.name for export in file.facts.exports)
    return frozenset(names - {"default"})


def starts_itself(repo: Repo, path: str) -> bool:
    """Whether the file runs by itself."""
    try:
        return bool(STARTS_ITSELF.search(repo.read(path)))
    except OSError:  # gone since it was parsed
        return True


def occurs_in_source(repo: Repo, path: str) -> bool:
    """Whether the name of the file stands in the text of another: facts leave out a path that is put together where it is included."""
    word = re.compile(rb"(?<![\w-])%b(?![\w-])" % re.escape(stem(path).encode()))
    for other in repo.files:
        try:
            if other != path and word.search(repo.read(other)):
                return True
        except OSError:  # gone since it was parsed
            continue
    return False


def named_elsewhere(repo: Repo, candidates: dict[str, File]) -> dict[str, bool]:
    """By path: whether another file contains the name of the file, or one it defines."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for path, file in candidates.items():
        for word in (stem(path), *own_names(file)):
            wanted[normalised(word)].add(path)
    is_named: dict[str, bool] = dict.fromkeys(candidates, False)
    if not wanted:
        return is_named
    unrelated: set[str] = set()  # words that name no candidate: most repeat many times

    def mark(words: set[str], where: str) -> None:
        for word in words - unrelated:
            owners = wanted.get(normalised(word))
            if owners is None:
                unrelated.add(word)
            else:
                is_named.update((candidate, True) for candidate in owners if candidate != where)

    for path, file in repo.files.items():
        if all(is_named.values()):
            return is_named  # as usual
        mark(words_of(file), path)
    texts = [
        path
        for path in sorted(repo.paths)
        if (path not in repo.files or repo.files[path].role is Role.CONFIG) and not BINARY.fullmatch(path)
    ]
    texts.sort(key=lambda path: SETTINGS.fullmatch(path) is None)
    for path in texts[:MAX_SETTINGS_FILES]:
        if all(is_named.values()):
            break
        text = settings_text(repo, path)
        mark(words_in(text), "")
        is_named.update((candidate, True) for candidate in candidates if is_globbed(candidate, text))
    return is_named


def is_globbed(path: str, text: str) -> bool:
    """Whether a settings file takes all files of the folder: `src/video/*.c`."""
    folder, name = posixpath.split(path)
    extension = posixpath.splitext(name)[1]
    return f"{posixpath.basename(folder)}/*{extension}" in text


def normalised(word: str) -> str:
    """A word without differences of case convention."""
    return word.replace("-", "").replace("_", "").lower()


def words_of(file: File) -> set[str]:
    """Words of a file that may name another: imports, calls, strings, comments, documents, and what is inherited."""
    facts = file.facts
    texts: list[str] = [item.target for item in facts.imports]
    texts += [word for item in facts.imports for name in item.names for word in (name.name, name.alias)]
    texts += [call.target for call in facts.calls]
    texts += [text.value for text in facts.texts]
    texts += [comment.text for comment in facts.comments]
    texts += [mention.text for mention in facts.mentions]
    texts += [base for class_ in facts.classes for base in class_.bases]
    texts += [function.passed_to for function in facts.functions]
    return words_in("\n".join(set(texts)))


def words_in(text: str) -> set[str]:
    """All words of a text; without a regex for ASCII, which is three times as fast."""
    return set(text.translate(SEPARATORS).split() if text.isascii() else WORD.findall(text))


def settings_text(repo: Repo, path: str) -> str:
    try:
        content = repo.read(path)
    except OSError:  # a link, or gone since it was listed
        return ""
    is_text = len(content) <= MAX_SETTINGS_BYTES and b"\0" not in content
    return content.decode("utf-8", "replace") if is_text else ""


def days_untouched(history: History, path: str) -> int | None:
    """Days since the last commit to a file; None if there is none in three years."""
    past = history.files.get(path)
    last = past.last if past else None
    return (history.reference_time - last.when).days if last else None


def report(file: File, used: int, folder: int, days: int | None) -> Finding:
    names = len(own_names(file))
    signals = [
        Signal(
            "not imported",
            Category.GRAPH,
            75,
            f"{used} of {folder} files in its folder are imported, this one is not",
        ),
        Signal(
            "unnamed",
            Category.SYNTAX,
            70,
            f"it defines {count(names, 'name')}, and no other file has {'it' if names == 1 else 'one of them'}",
        ),
    ]
    if days is not None and days >= MIN_STILL_DAYS:
        signals.append(Signal("still", Category.HISTORY, 70, f"not changed for {days} days"))
    return Finding(
        at_file(file),
        Severity.LOW,
        f"Nothing imports or mentions this file of {file.facts.logic_lines} lines of code, while {used} of the {folder} files in its "
        "folder are imported.",
        signals=tuple(signals),
        evidence={
            "logic_lines": Measure(file.facts.logic_lines),
            "imported_neighbours": Measure(used),
            "files_in_folder": Measure(folder),
        },
    )


BODY = "".join(f"    step_{n} = {n}\n" for n in range(15))
PYTHON = {f"shop/{name}.py": f"def {name}_all():\n    return 1\n" for name in ("carts", "orders", "prices")}
STARTS = "from shop import carts, orders, prices\nprint(carts, orders, prices)\n"
SCRIPT = {
    f"src/{name}.ts": f"export function {name}All() {{\n  return 1;\n}}\n"
    for name in ("carts", "orders", "prices")
}
LOADS = "".join(
    f'import {{ {name}All }} from "./{name}";\n{name}All();\n' for name in ("carts", "orders", "prices")
)
LONG = "export function convertPastRates() {\n" + "".join(f"  const s{n} = {n};\n" for n in range(15)) + "}\n"
LOST = f"def convert_old_rates():\n{BODY}"

# What a comment has to say to settle a finding in doubt.
DETECTOR = Detector(
    id="orphan_file",
    title="Orphan file",
    category="agents",
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    detect=detect,
    needs=(IMPORT_GRAPH,),
    wants=(HISTORY,),
    options=Options,
    examples=(
        Example(
            "silent in C, where a build takes files by a pattern",
            {
                **{
                    f"src/{name}.h": f"int {name}(int a);\n"
                    for name in ("carts", "orders", "prices", "taxes")
                },
                **{
                    f"src/{name}.c": f'#include "{name}.h"\n\nint {name}(int a) {{\n'
                    + "    a = a + 1;\n" * 16
                    + "    return a;\n}\n"
                    for name in ("carts", "orders", "prices", "taxes")
                },
                "src/old_rates.c": "int old_rates_of(int a) {\n"
                + "    a = a + 1;\n" * 16
                + "    return a;\n}\n",
            },
        ),
        Example(
            "a Python module and a TypeScript file that nobody uses",
            {
                **PYTHON,
                "main.py": STARTS,
                "shop/old_rates.py": LOST,
                **SCRIPT,
                "src/index.ts": LOADS,
                "src/pastRates.ts": LONG,
            },
            finds=("shop/old_rates.py:1", "src/pastRates.ts:1"),
            severity=Severity.LOW,
        ),
        Example(
            "silent when one of its names occurs in a setting, a string, a comment or a document",
            {
                **PYTHON,
                "main.py": STARTS,
                "shop/old_rates.py": LOST,
                "Makefile": "rates:\n\tpython -m shop.old_rates\n",
                **SCRIPT,
                "src/index.ts": LOADS + "// see pastRates for the tables of last year\n",
                "src/pastRates.ts": LONG,
            },
        ),
        Example(
            "silent when a script without an extension imports it",
            {
                **PYTHON,
                "main.py": STARTS,
                "shop/old_rates.py": LOST,
                "run_shop": "#!/usr/bin/env python3\nimport shop.old_rates\n\nshop.old_rates.start()\n",
            },
        ),
        Example(
            "silent when a path that is put together names it",
            {
                **{
                    f"shop/{name}.php": f"<?php\nfunction {name}_all() {{\n    return 1;\n}}\n"
                    for name in ("carts", "orders", "prices")
                },
                "shop/old_rates.php": "<?php\n$rates = [\n" + "    'a' => 1,\n" * 20 + "];\n",
                "main.php": "<?php\n"
                + "".join(
                    f"require __DIR__ . '/shop/{name}.php';\n" for name in ("carts", "orders", "prices")
                )
                + "include Config::get('home') . '/shop/old_rates.php';\n",
            },
        ),
        Example(
            "silent in a folder that a build file takes whole",
            {
                **PYTHON,
                "main.py": STARTS,
                "shop/old_rates.py": LOST,
                "build.cmake": 'file(GLOB SOURCES "shop/*.py")\n',
            },
        ),
        Example(
            "silent when one of its functions is called by name",
            {**PYTHON, "main.py": STARTS + "registry.convert_old_rates()\n", "shop/old_rates.py": LOST},
        ),
        Example(
            "silent in a folder whose files are found by listing it",
            {
                **PYTHON,
                "main.py": STARTS,
                "shop/old_rates.py": LOST,
                "shop/new_rates.py": LOST.replace("old", "new"),
            },
        ),
        Example(
            "silent on what runs by itself, is registered by a decorator, or is short",
            {
                **PYTHON,
                "main.py": STARTS,
                "shop/old_rates.py": LOST + '\n\nif __name__ == "__main__":\n    convert_old_rates()\n',
                **{path.replace("shop", "web"): text for path, text in PYTHON.items()},
                "start.py": STARTS.replace("shop", "web"),
                "web/old_rates.py": "import bus\n\n\n@bus.on\n" + LOST,
                **SCRIPT,
                "src/index.ts": LOADS,
                "src/pastRates.ts": "export function convertPastRates() {\n  return 1;\n}\n",
            },
        ),
        Example(
            "silent on classes that are found by their base",
            {
                **{path: text + "\n\nclass Job(Task):\n    pass\n" for path, text in PYTHON.items()},
                "main.py": STARTS,
                "shop/old_rates.py": LOST + "\n\nclass OldRates(Task):\n    pass\n",
            },
        ),
        Example(
            "silent on component kits",
            {
                **{path.replace("src/", "src/ui/"): text for path, text in SCRIPT.items()},
                "src/index.ts": LOADS.replace("./", "./ui/"),
                "src/ui/pastRates.ts": LONG,
            },
        ),
        Example(
            "silent when a test imports it",
            {
                **PYTHON,
                "main.py": STARTS,
                "shop/old_rates.py": LOST,
                "tests/test_rates.py": "from shop import old_rates\n\ndef test():\n    assert old_rates\n",
            },
        ),
    ),
)
