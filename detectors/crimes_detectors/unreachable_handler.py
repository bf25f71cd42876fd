"""A handler never runs, because one before it in the same `try` catches all its errors.

It knows the errors that a language and its library define, and follows the base classes of those in the repository. The severity is low
where the handler would only log, or do nothing.

## Why it matters

The error is handled by the broader clause, and the handling that was written for it never happens.

## What to do

Move the narrower handler before the broader one, or delete it.

## Before

```python
def load(path):
    try:
        return parse(path.read_text())
    except OSError as error:
        raise LoadError(path) from error
    except FileNotFoundError:
        return DEFAULTS
```

## After

```python
def load(path):
    try:
        return parse(path.read_text())
    except FileNotFoundError:
        return DEFAULTS
    except OSError as error:
        raise LoadError(path) from error
```

## What it does not report

- Narrow handlers before broad ones.
- A handler for several types, one of which is not caught before.
- A handler that does nothing behind another that does nothing.
- Types whose base classes are not known, and variables that hold types.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from crimes.api import (
    SYMBOLS,
    Category,
    Class,
    Detector,
    Effort,
    Example,
    File,
    FileFacts,
    Finding,
    Handler,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    Symbols,
    per_file,
    quoted_names,
    regex,
)

_NAME = regex(r"[\w.:\\]+")
_HEAD = regex(r"\w+")
_LOGGING_CALL = regex(
    r"(?:^|[._>:])_?(?:s?log(?:s|ger|ging)?|console|std(?:err|out)|out|err)(?:\.|->|::)\w+$|(?:^|[.>:])(?:e?print(?:ln|f|_r|_?stack_?trace|_exc)?"
    r"|puts|warn|log|error_log|format\w*|sprintf|str|repr|get_?message|to_?string|capture_?(?:exception|error)|type)!?$",
    re.IGNORECASE,
)
_ONLY_CALLS = frozenset({"pass", "call", "uses_error"})
MAX_ANCESTORS = 50
MAX_NAMES = 4


def _tries(facts: FileFacts) -> tuple[tuple[Handler, ...], ...] | None:
    """Handlers of each try that has several, in order."""
    clauses = [handler for handler in facts.handlers if handler.does != ("discard",)]
    clauses.sort(key=lambda handler: (handler.function, handler.body_start, handler.body_end, handler.start))
    groups = groupby(clauses, key=lambda handler: (handler.function, handler.body_start, handler.body_end))
    return tuple(several for _, group in groups if len(several := tuple(group)) > 1) or None


TRIES = per_file(
    "unreachable_handler.tries", tuple[tuple[Handler, ...], ...], _tries, frozenset({Role.SOURCE})
)


class _Types:
    """The error types that files name, and what they derive from."""

    def __init__(self, scan: Pass, symbols: Symbols) -> None:
        self._files = scan.repo.files
        self._symbols = symbols
        # A repository may give its own type a built-in name: which one is meant is known only if it resolves.
        self._own_names = {kind.name for file in scan.files(*Role) for kind in file.facts.classes}

    def caught(self, file: File, handler: Handler) -> list[str]:
        """The types a handler catches, each by a name that is the same in all files; empty for one that is not known."""
        if not handler.caught:
            return [file.traits.errors.bare]
        return [self._identify(file, name, handler.function) for name in handler.caught]

    def ancestors(self, file: File, kind: str) -> list[str]:
        """A type and all that it derives from, as far as known, the nearest first."""
        known: list[str] = []
        waiting = [kind]
        while waiting and len(known) < MAX_ANCESTORS:
            name = waiting.pop(0)
            if name and name not in known:
                known.append(name)
                waiting += self._parents(file, name)
        return known

    def _parents(self, file: File, kind: str) -> list[str]:
        errors = file.traits.errors
        path, _, qualname = kind.rpartition("|")
        if path:
            bases = (fact.bases for fact in self._files[path].facts.classes if fact.qualname == qualname)
            return [self._identify(self._files[path], base, -1) for base in next(bases, ())]
        if kind in errors.parents:
            return [errors.parents[kind]]
        return [errors.usual] if kind.endswith(errors.usual_endings or ("|",)) else []

    def _identify(self, file: File, name: str, function: int) -> str:
        if not _NAME.fullmatch(name):
            return ""
        symbol = self._symbols.resolve(file.path, name, function)
        if symbol is not None:
            fact = self._symbols.fact_of(symbol)
            return f"{symbol.path}|{symbol.qualname}" if isinstance(fact, Class) else ""
        outside = self._symbols.external_name(file.path, name)
        if outside:
            is_library = outside.startswith(file.traits.errors.library or ("|",))
            return outside.rpartition(".")[2] if is_library else outside
        head = _HEAD.search(name)
        if head is None or head[0] in self._own_names or name.rpartition(":")[2] in self._own_names:
            return ""
        bound = any(
            head[0] in (item.alias, *(each.alias for each in item.names)) for item in file.facts.imports
        )
        return "" if bound or head[0] in file.facts.definitions else name


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    tries = scan[TRIES]
    types = _Types(scan, scan[SYMBOLS])
    for file in scan.files(Role.SOURCE):
        if not file.traits.errors.parents:
            continue
        for handlers in tries.get(file.path, ()):
            if handlers[0].function < 0 or not file.facts.functions[handlers[0].function].in_test:
                yield from _hidden(file, handlers, types)


def _hidden(file: File, handlers: tuple[Handler, ...], types: _Types) -> Iterator[Finding]:
    """Findings for the handlers of a try that others hide."""
    before: dict[str, tuple[Handler, str]] = {}  # by type the handler that catches it, and its name there
    roots = {kind for kind, parent in file.traits.errors.parents.items() if not parent}
    for number, handler in enumerate(handlers):
        kinds = types.caught(file, handler)
        hiding = [_catcher(file, kind, before, roots, types) for kind in kinds]
        if all(hiding) and hiding and handler.caught:
            first, name = hiding[0] or (handler, "")
            if handler.does == first.does == ("pass",):
                continue  # as old code had to write for errors that only later became one: nothing is lost
            yield _report(file, handler, first, name, number)
        for kind, name in zip(kinds, handler.caught or (file.traits.errors.bare,), strict=True):
            if kind:
                before.setdefault(kind, (handler, name))


def _catcher(
    file: File, kind: str, before: dict[str, tuple[Handler, str]], roots: set[str], types: _Types
) -> tuple[Handler, str] | None:
    """The earlier handler that catches a type, and what it calls it."""
    names = [*types.ancestors(file, kind), *sorted(roots)]
    return next((before[name] for name in names if name in before), None)


def _only_logs(file: File, handler: Handler) -> bool:
    """Whether a handler would do nothing but log, so that little is lost without it."""
    inside = (
        call
        for call in file.facts.calls
        if call.function == handler.function and handler.start <= call.line <= handler.end
    )
    return _ONLY_CALLS.issuperset(handler.does) and all(_LOGGING_CALL.search(call.target) for call in inside)


def _report(file: File, handler: Handler, first: Handler, name: str, number: int) -> Finding:
    symbol = file.facts.functions[handler.function].qualname if handler.function >= 0 else ""
    same = name in handler.caught
    reason = f"`{name}` is caught" if same else f"`{name}`, which includes it, is caught"
    return Finding(
        Place(file.path, handler.start, handler.end, symbol),
        Severity.LOW if _only_logs(file, handler) else Severity.MEDIUM,
        f"The handler of {quoted_names(handler.caught, MAX_NAMES)} never runs: {reason} before it (line {first.start}).",
        signals=(
            Signal("caught before", Category.SYNTAX, 92, "a handler before it catches the same errors"),
        ),
        evidence={"caught": Measure(handler.caught), "caught_before": Measure(name)},
        related=(Related(Place(file.path, first.start, first.end, symbol), "the handler that runs instead"),),
        discriminator=f"{', '.join(handler.caught)}|{number}",
    )


_PYTHON = """def load(path):
    try:
        return parse(path.read_text())
    except OSError:
        raise
    except FileNotFoundError:
        return {}
"""

DETECTOR = Detector(
    id="unreachable_handler",
    title="Unreachable handler",
    category="correctness",
    doc=__doc__,
    languages=("python", "ruby", "php", "kotlin"),
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    needs=(SYMBOLS,),
    in_each_file=(TRIES,),
    detect=detect,
    examples=(
        Example(
            "silent where a PHP file has a type of its own with the name of a built-in one",
            {
                "src/Node.php": "<?php\nnamespace Shop;\n\nuse Shop\\Errors\\Exception;\n\nfunction f() {\n    try {\n        g();\n"
                "    } catch (Exception $e) {\n        throw $e;\n    } catch (\\Exception $e) {\n        h($e);\n    }\n}\n",
                "src/Errors/Exception.php": "<?php\nnamespace Shop\\Errors;\n\nclass Exception extends \\Exception\n{\n}\n",
            },
        ),
        Example(
            "a built-in error behind a broader one",
            {"load.py": _PYTHON},
            ("load.py:6",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "low where the handler would only log",
            {
                "load.py": _PYTHON.replace(
                    "return {}\n", "logger.warning('no %s', str(path))\n        print(path)\n"
                )
            },
            ("load.py:6",),
            severity=Severity.LOW,
        ),
        Example(
            "medium where the handler would do more than log",
            {
                "load.py": _PYTHON.replace(
                    "return {}\n", "logger.warning('no %s', path)\n        create(path)\n"
                )
            },
            ("load.py:6",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "errors of the repository",
            {
                "errors.py": "class ShopError(Exception):\n    pass\n\n\nclass Sold(ShopError):\n    pass\n",
                "sell.py": "from errors import ShopError, Sold\n\n\ndef sell(item):\n    try:\n        item.sell()\n"
                "    except ShopError:\n        log(item)\n    except Sold:\n        refund(item)\n",
            },
            ("sell.py:9",),
        ),
        Example(
            "an error of another package behind Exception",
            {
                "get.py": "import requests\n\n\ndef get(url):\n    try:\n        return requests.get(url)\n    except Exception:\n"
                "        log(url)\n    except (requests.HTTPError, requests.ConnectionError):\n        return None\n"
            },
            ("get.py:9",),
        ),
        Example(
            "the same type twice",
            {
                "get.py": "def get(rows):\n    try:\n        return rows[0]\n    except IndexError:\n        return None\n"
                "    except (KeyError, TypeError):\n        return 0\n    except IndexError:\n        raise\n"
            },
            ("get.py:8",),
        ),
        Example(
            "in Ruby, where a rescue without a type catches every StandardError",
            {
                "lib/load.rb": "def load(path)\n  File.read(path)\nrescue => e\n  log(e)\nrescue Errno::ENOENT\n  nil\nrescue LoadError\n  1\nend\n"
            },
            ("lib/load.rb:5",),
        ),
        Example(
            "in PHP",
            {
                "src/load.php": "<?php\nfunction load($path) {\n    try {\n        return parse($path);\n    } catch (\\Exception $e) {\n"
                "        return null;\n    } catch (\\RuntimeException $e) {\n        return 1;\n    }\n}\n"
            },
            ("src/load.php:7",),
        ),
        Example(
            "in Kotlin",
            {
                "src/main/kotlin/Load.kt": "import java.io.IOException\n\nfun load(path: Path): String? {\n    try {\n        return path.read()\n"
                "    } catch (e: Exception) {\n        return null\n    } catch (e: IOException) {\n        return log(e)\n    }\n}\n"
            },
            ("src/main/kotlin/Load.kt:8",),
        ),
        Example(
            "silent on narrow handlers before broad ones",
            {
                "load.py": _PYTHON.replace("OSError", "X")
                .replace("FileNotFoundError", "OSError")
                .replace("X", "KeyError")
            },
        ),
        Example(
            "silent when one of several types is not caught before",
            {"load.py": _PYTHON.replace("FileNotFoundError", "(FileNotFoundError, ValueError)")},
        ),
        Example(
            "silent on types whose bases are not known",
            {
                "load.py": "from shop import Closed, Sold\n\n\n"
                + _PYTHON.replace("OSError", "Closed").replace("FileNotFoundError", "Sold")
            },
        ),
        Example(
            "silent on a type of the repository with a built-in name",
            {
                "errors.py": "class TimeoutError(Exception):\n    pass\n",
                "load.py": "from errors import *\n\n\n"
                + _PYTHON.replace("FileNotFoundError", "TimeoutError"),
            },
        ),
        Example(
            "silent where neither handler does anything",
            {"load.py": _PYTHON.replace("        raise\n", "        pass\n").replace("return {}", "pass")},
        ),
        Example("silent on a variable", {"load.py": _PYTHON.replace("FileNotFoundError", "ERRORS[0]")}),
        Example(
            "silent on a cancellation, which is no Exception",
            {
                "load.py": "import asyncio\n\n\n"
                + _PYTHON.replace("OSError", "Exception").replace(
                    "FileNotFoundError", "asyncio.CancelledError"
                )
            },
        ),
        Example("silent in a test", {"tests/test_load.py": _PYTHON}),
    ),
)
