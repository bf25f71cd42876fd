"""Importing a module reaches the network, starts a process, writes files or ends the program.

It looks at calls at the top level of modules that other source files import, and one step into functions of this repository that
are called there.

## Why it matters

Every file and every test that imports the module runs its side effect, in whatever order the imports happen. Where the network or the
folder is missing, the import fails far from the cause.

## What to do

Move the call into a function that the program runs on start, or make it when the value is first needed.

## Before

```python
# shop/rates.py
import requests

RATES = requests.get("https://rates.example.com/latest").json()

def to_euro(amount, currency):
    return amount / RATES[currency]
```

## After

```python
# shop/rates.py
from functools import cache

import requests

@cache
def rates():
    return requests.get("https://rates.example.com/latest").json()

def to_euro(amount, currency):
    return amount / rates()[currency]
```

## What it accepts

- Code that does not run on import: under `if __name__ == "__main__"` or its equivalent, in functions, lambdas and instance fields.
- Reading files, the environment and the clock.
- Version and platform checks, and handlers of a failed import, that end a program which cannot run at all.
- Modules that nobody imports, or only tests: entry points, scripts, settings of tools.
- A comment at the call that states the reason lowers the severity one step; so does a condition, or a handler, around the call.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from crimes.api import (
    ANY,
    IMPORT_GRAPH,
    LOAD_KINDS,
    SYMBOLS,
    Call,
    Category,
    Detector,
    Effort,
    Example,
    File,
    FileFacts,
    Finding,
    Function,
    ImportedNames,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    Symbols,
    count,
    per_file,
    regex,
    states_reason,
)

_HTTP_METHODS = "get|post|put|patch|delete|head|options|request"
_NETWORK, _PROCESS, _EXIT, _WRITES = (
    "reaches the network",
    "starts a process",
    "ends the program",
    "changes files",
)
_MOVES = "changes the working folder"
_COUNTS_ANYWHERE = frozenset({_NETWORK, _PROCESS})  # these count in called functions, too
# External dotted names, by what a call does.
_EFFECTS = {
    _EXIT: regex(r"sys\.exit|os\._exit"),
    _NETWORK: regex(
        rf"requests(?:\.[sS]ession\(\))?\.(?:{_HTTP_METHODS})|httpx\.(?:{_HTTP_METHODS}|stream)|urllib\.request\.(?:urlopen|urlretrieve)"
        r"|socket\.create_connection|(?:psycopg2|pymysql|MySQLdb)\.connect|smtplib\.SMTP(?:_SSL)?|nltk\.download|mongoose\.connect"
        r"|https?\.(?:get|request)|https?\.createServer\(\)\.listen|axios\.(?:get|post|request)"
    ),
    _PROCESS: regex(
        r"subprocess\.(?:run|call|check_call|check_output|getoutput|getstatusoutput|Popen)|os\.(?:system|popen|fork|spawn\w+)"
        r"|child_process\.(?:exec|spawn|execFile|fork)(?:Sync)?|execa\.\w+|(?:threading\.Thread|multiprocessing\.Process)\(\)\.start"
    ),
    _MOVES: regex(r"os\.chdir|process\.chdir"),
    _WRITES: regex(
        r"os\.(?:mkdir|makedirs|remove|unlink|rename|replace|rmdir|symlink)|shutil\.(?:rmtree|copy\w*|move|make_archive)"
        r"|(?:fs|fs-extra|graceful-fs)\.(?:writeFile|appendFile|mkdir|rm|rmdir|unlink|copyFile|cp|rename|ensureDir|outputFile|remove)Sync"
        r"|pathlib\.Path\(\)(?:\.\w+(?:\(\))?)*\.(?:mkdir|write_text|write_bytes|unlink|rmdir|touch)"
    ),
}
_LAST_NAME = regex(
    rf"(?:^|[.:])(?:_?exit|{_HTTP_METHODS}|stream|urlopen|urlretrieve|create_connection|connect|SMTP(?:_SSL)?|download|listen|run|call|check_call|"
    r"check_output|getoutput|getstatusoutput|Popen|system|popen|fork|spawn\w*|exec\w*|\w+Sync|start|mkdir|makedirs|remove|unlink|rename|"
    r"replace|rmdir|chdir|symlink|rmtree|copy\w*|move|make_archive|write_text|write_bytes|touch)$"
)
# Names that need no import, or come from a variable: the text of the line decides.
_BY_TEXT = {
    "exit": (_EXIT, regex(r"\bprocess\.exit\(")),
    "mkdir": (_WRITES, regex(r"\.mkdir\([^)]*\b(?:parents|exist_ok)\s*=")),
}
_NOT_ON_IMPORT = regex(r"__name__|require\.main|import\.meta|TYPE_CHECKING|process\.argv|sys\.argv")
_VERSION_CHECK = regex(r"version|platform|machine|maxsize", re.IGNORECASE)
_DEFERRED = regex(r"\blambda\b|=>")
_MAX_NAMED = 3


class Effect(Struct, frozen=True):
    """A call at module level, what it does, and the function it does it through, if any."""

    call: Call
    name: str
    what: str
    through: str = ""
    by_text: bool = False  # the name proves nothing: check the line
    conditional: bool = False  # in a branch or a handler


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    symbols, graph = scan[SYMBOLS], scan[IMPORT_GRAPH]
    files, suspects = scan.repo.files, scan[SUSPECTS]
    harmless = {path for path, file in files.items() if file.role is Role.SOURCE}
    harmless.difference_update(path for path, suspect in suspects.items() if suspect.inside)
    for path, suspect in suspects.items():
        file, indices = files[path], suspect.top
        # A plain name is defined in this file or in one it imports.
        if suspect.plain and not harmless.issuperset((path, *(edge.target for edge in graph.imports[path]))):
            indices = tuple(sorted(indices + suspect.plain))
        effects = _effects(scan, file, indices, symbols) if indices else []
        if not effects:
            continue
        importers = sorted(
            {
                edge.source
                for edge in graph.importers.get(file.path, ())
                if edge.kind in LOAD_KINDS and edge.source in files and files[edge.source].role is Role.SOURCE
            }
            - {file.path}
        )
        if importers:
            lines = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
            real = [
                replace(effect, conditional=lines[effect.call.line - 1][:1].isspace())
                for effect in effects
                if _runs_on_import(file, effect, lines)
            ]
            if real:
                yield _report(file, real, importers)


class Suspects(Struct, frozen=True, array_like=True):
    """What may have an effect in a file: indices of calls at module level, and its functions."""

    top: tuple[int, ...]  # calls that may have an effect themselves
    plain: tuple[int, ...]  # other calls of a plain name: the function may have one
    inside: bool  # a function may have an effect that counts where it is called


def _suspects(facts: FileFacts) -> Suspects | None:
    imported = ImportedNames(facts)
    top, plain = [], []
    inner: set[str] = set()
    for index, call in enumerate(facts.calls):
        if call.function >= 0:
            inner.add(call.target)
        elif facts.errors:
            continue  # after a syntax error, code of a function may seem to be at module level
        elif _BY_TEXT.get(call.target.rpartition(".")[2]) or any(
            map(_effect_of, imported.names(call.target))
        ):
            top.append(index)
        elif call.target.isidentifier():
            plain.append(index)
    names = (name for target in inner for name in imported.names(target))
    inside = any(_effect_of(name) in _COUNTS_ANYWHERE for name in names)
    return Suspects(tuple(top), tuple(plain), inside) if top or plain or inside else None


SUSPECTS = per_file("import_side_effect.suspects", Suspects, _suspects, frozenset({Role.SOURCE}))


@cache
def _effect_of(name: str) -> str:
    """What a call of an external dotted name does; empty if nothing is known."""
    return next((what for what, pattern in _EFFECTS.items() if pattern.fullmatch(name)), "")


def _effects(scan: Pass, file: File, indices: tuple[int, ...], symbols: Symbols) -> list[Effect]:
    effects = []
    for call in map(file.facts.calls.__getitem__, indices):
        effect = _own_effect(file, call, symbols)
        if effect is None and call.target.isidentifier():
            effect = _effect_through(scan, file, call, symbols)
        if effect is not None:
            effects.append(effect)
    return effects


def _own_effect(file: File, call: Call, symbols: Symbols) -> Effect | None:
    if not _LAST_NAME.search(call.target):
        return None
    name = symbols.external_name(file.path, call.target)
    if what := _effect_of(name):
        return Effect(call, name, what)
    by_text = _BY_TEXT.get(call.target.rpartition(".")[2])
    return Effect(call, call.target, by_text[0], by_text=True) if by_text and not name else None


def _effect_through(scan: Pass, file: File, call: Call, symbols: Symbols) -> Effect | None:
    """The effect of a function of this repository that is called at module level."""
    symbol = symbols.resolve(file.path, call.target)
    called = symbols.fact_of(symbol) if symbol is not None else None
    if symbol is None or not isinstance(called, Function) or called.is_async:
        return None
    home = scan.repo.files[symbol.path]
    index = home.facts.functions.index(called)
    for inner in home.facts.calls:
        if inner.function == index:
            effect = _own_effect(home, inner, symbols)
            if effect is not None and effect.what in _COUNTS_ANYWHERE:
                return Effect(call, effect.name, effect.what, called.name)
    return None


def _runs_on_import(file: File, effect: Effect, lines: list[str]) -> bool:
    number = effect.call.line
    line = lines[number - 1] if number <= len(lines) else ""
    if effect.by_text and not _BY_TEXT[effect.call.target.rpartition(".")[2]][1].search(line):
        return False
    if _DEFERRED.search(line[: max(line.find(effect.call.target), 0)]) or _is_field(file, number, lines):
        return False
    if effect.what == _EXIT and _handles_failed_import(file, number):
        return False
    for statement in file.facts.statements:
        if statement.line <= number <= statement.end and statement.kind == "if":
            head = "\n".join(lines[statement.line - 1 : min(statement.line + 2, number)])
            if _NOT_ON_IMPORT.search(head) or (effect.what == _EXIT and _VERSION_CHECK.search(head)):
                return False
    return True


def _handles_failed_import(file: File, number: int) -> bool:
    """Whether a line is in a handler for an import that failed: without the package nothing here can run."""
    handlers = (handler for handler in file.facts.handlers if handler.start <= number <= handler.end)
    guarded = [(handler.body_start, handler.body_end) for handler in handlers]
    return any(start <= item.line <= end for start, end in guarded for item in file.facts.imports)


def _is_field(file: File, number: int, lines: list[str]) -> bool:
    """Whether the line initialises an instance field, which runs when an object is created."""
    if re.search(r"\bstatic\b", lines[number - 1]):
        return False
    starts = [class_.start for class_ in file.facts.classes if class_.start <= number <= class_.end]
    return any("{" in "".join(lines[start - 1 : min(start + 2, number)]) for start in starts)


def _report(file: File, effects: list[Effect], importers: list[str]) -> Finding:
    order = (_EXIT, _NETWORK, _PROCESS, _MOVES, _WRITES)
    first = min(effects, key=lambda effect: (order.index(effect.what), effect.call.line))
    severity = Severity.HIGH if first.what in (_EXIT, _NETWORK) and not first.through else Severity.MEDIUM
    explained = states_reason(file, first.call.line)
    if explained or first.conditional:
        severity = Severity.MEDIUM if severity is Severity.HIGH else Severity.LOW
    how = (
        f"`{first.through}()` at module level, which calls `{first.name}`"
        if first.through
        else f"`{first.name}` at module level"
    )
    more = f" (and makes {count(len(effects) - 1, 'more such call')})" if len(effects) > 1 else ""
    importing = len(importers)
    return Finding(
        Place(file.path, first.call.line, first.call.line),
        severity,
        f"Importing this module {first.what}: it calls {how}{more}, "
        f"and {count(importing, 'source file imports', 'source files import')} it.",
        signals=(
            Signal(
                "import_side_effect", Category.SYNTAX, 80, f"`{first.call.target}` is called at module level"
            ),
            Signal(
                "import_side_effect",
                Category.GRAPH,
                85,
                f"{count(importing, 'source file imports', 'source files import')} it on load",
            ),
        ),
        evidence={
            "effect": Measure(first.what),
            "call": Measure(first.name),
            "calls": Measure(len(effects), 0),
            "importers": Measure(importing, 0),
        },
        related=tuple(Related(Place(path, 1, 1), "imports it") for path in importers[:_MAX_NAMED]),
        notes=("a comment states the reason: lowered one step",) if explained else (),
    )


DETECTOR = Detector(
    id="import_side_effect",
    title="Import with a side effect",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    default=False,
    effort=Effort.MINUTES,
    detect=detect,
    needs=(SYMBOLS, IMPORT_GRAPH),
    in_each_file=(SUSPECTS,),
    examples=(
        Example(
            "a request when a module is imported, in Python",
            {
                "rates.py": "import requests\n\nRATES = requests.get('https://rates.example/today').json()\n",
                "shop.py": "from rates import RATES\n\n\ndef price(amount):\n    return amount * RATES['eur']\n",
            },
            ("rates.py:3",),
            severity=Severity.HIGH,
        ),
        Example(
            "a process that starts with an import, in TypeScript",
            {
                "src/version.ts": 'import { execSync } from "child_process";\n\nexport const version = execSync("git rev-parse HEAD").toString();\n',
                "src/app.ts": 'import { version } from "./version";\n\nexport const title = `app ${version}`;\n',
            },
            ("src/version.ts:3",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a program that ends when a module is imported",
            {
                "settings.py": "import os\nimport sys\n\nKEY = os.environ.get('KEY')\nif not KEY:\n    sys.exit('no key')\n",
                "shop.py": "from settings import KEY\n\n\ndef key():\n    return KEY\n",
            },
            ("settings.py:6",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent where an import failed, but not where anything else did",
            {
                "client.py": "import sys\n\ntry:\n    import requests\nexcept ImportError:\n    print('run pip install requests')\n    sys.exit(1)\n",
                "settings.py": "import os\nimport sys\n\ntry:\n    KEY = os.environ['KEY']\nexcept KeyError:\n    sys.exit('no key')\n",
                "shop.py": "import client\nfrom settings import KEY\n\n\ndef key():\n    return client, KEY\n",
            },
            ("settings.py:7",),
        ),
        Example(
            "a function of the repository that runs a process, called at module level",
            {
                "version.py": "import subprocess\n\n\ndef read_version():\n    return subprocess.check_output(['git', 'describe'])\n\n\nVERSION = read_version()\n",
                "shop.py": "from version import VERSION\n\n\ndef title():\n    return VERSION\n",
            },
            ("version.py:8",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "lower when a comment states the reason",
            {
                "places.py": "import os\n\n# Everything below expects the folder to be there.\nos.makedirs('data', exist_ok=True)\n",
                "shop.py": "import places\n\n\ndef folder():\n    return places\n",
            },
            ("places.py:4",),
            severity=Severity.LOW,
        ),
        Example(
            "silent when it does not run on import",
            {
                "rates.py": "import requests\n\nload = lambda: requests.get('https://rates.example')\n\n\ndef rates():\n    return requests.get('https://rates.example')\n\n\n"
                "if __name__ == '__main__':\n    print(requests.get('https://rates.example'))\n",
                "shop.py": "from rates import rates\n\n\ndef price(amount):\n    return amount * rates()\n",
            },
        ),
        Example(
            "silent on what happens when an object is created",
            {
                "src/client.ts": 'import { spawn } from "child_process";\n\nexport class Client {\n  private proc = spawn("codex", ["server"]);\n}\n',
                "src/app.ts": 'import { Client } from "./client";\n\nexport const made = () => new Client();\n',
            },
        ),
        Example(
            "a static field, which is set on import",
            {
                "src/client.ts": 'import { execSync } from "child_process";\n\nexport class Client {\n  static version = execSync("git describe");\n}\n',
                "src/app.ts": 'import { Client } from "./client";\n\nexport const made = () => new Client();\n',
            },
            ("src/client.ts:4",),
        ),
        Example(
            "silent when nobody imports it",
            {
                "load.py": "import requests\n\nprint(requests.get('https://rates.example').json())\n",
                "tests/test_load.py": "import load\n\nassert load\n",
            },
        ),
        Example(
            "silent on reading, and on a check of the version",
            {
                "version.py": "import sys\nfrom pathlib import Path\n\nVERSION = Path(__file__).with_name('VERSION').read_text()\nif sys.version_info < (3, 11):\n"
                "    sys.exit('too old')\n",
                "shop.py": "from version import VERSION\n\n\ndef title():\n    return VERSION\n",
            },
        ),
    ),
)
