"""A function returns different shapes on different paths, and a caller relies on one of them.

It looks at functions without a stated result type that return a value on some paths and nothing, or tuples of another length, on others. It
reports those where a call uses the result without a check: unpacks it, iterates over it, reads an attribute or an entry.

## Why it matters

The call works until the other path is taken, and then fails at the caller, far from the cause.

## What to do

Return one shape on every path, such as an empty value, or raise an error. Or state in the result type that there may be nothing, and let
the callers check first.

## Before

```python
def split_name(name):
    if not name:
        return
    first, _, last = name.partition(" ")
    return first, last

def greeting(name):
    first, last = split_name(name)
    return f"Dear {first} {last}"
```

## After

```python
def split_name(name):
    first, _, last = name.partition(" ")
    return first, last

def greeting(name):
    first, last = split_name(name)
    return f"Dear {first} {last}" if first else "Hello"
```

## What it accepts

- Callers that keep the value in a variable, so that they can check it, or that use `?.` or a fallback.
- Calls inside a `try`.
- Tuples whose length a flag or a parameter such as `return_index` asks for.
- Nothing in return for nothing (`if name is None: return`), and functions that need a package which is absent (`if not HAS_X: return`).
- Functions with a result type, generators, functions that a decorator wraps.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from crimes.api import (
    ANY,
    SYMBOLS,
    CallSite,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Function,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    Symbol,
    at_function,
    count,
    regex,
)

_PLAIN_DECORATORS = frozenset({"staticmethod", "classmethod"})
_UNPACKS = regex(r"^\s*(?:(?:const|let|var)\s*\[[^\]=]*,|\(?\s*[\w.]+\s*,\s*[\w.,\s*]*)[^=]*=\s*$")
_DESTRUCTURES = regex(r"(?:const|let|var)\s*\{[^}=]*\}\s*=\s*$")
_ITERATES = regex(
    r"\bfor\b[^:;{]*\b(?:in|of)\s*$|\b(?:len|sorted|sum|max|min|list|tuple|set|Object\.\w+)\($|\.\.\.$|[(,]\s*\*{1,2}$"
)
_READS = regex(r"\.\w|\[")
_PROMISE_METHOD = regex(r"\.(?:then|catch|finally)\b")
_RETURNS_NOTHING = regex(
    r"\breturn(?:[ \t]+(?:None|False|null|undefined)\b|[ \t]*;?[ \t]*(?:\}|#|//|$))", re.MULTILINE
)
_OPTIONAL_IMPORT = regex(r"if not (?:HAS_|HAVE_)\w+:\s*return\b|if not \w+_AVAILABLE:\s*return\b")
_SHAPE_PARAMETER = regex(r"(?:return|full|with)(?:_|[A-Z]|$)")  # the caller chooses the shape
_MAX_CALL_CHARS = 600
_MAX_RELATED = 5


class Reliance(Struct, frozen=True):
    """A call that relies on the shape of the result, and how."""

    site: CallSite
    how: str
    symbol: str


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    candidates: dict[Symbol, tuple[File, Function]] = {}
    for file in scan.repo.files.values():
        if file.role is Role.SOURCE:
            for function in file.facts.functions:
                if function.returns and _is_candidate(function):
                    candidates[Symbol(file.path, function.qualname)] = (file, function)
    if not candidates:
        return
    callers = scan[SYMBOLS].callers(candidates.keys())
    texts: dict[str, list[str]] = {}
    for symbol, (file, function) in candidates.items():
        reliances = [
            reliance
            for site in callers.get(symbol, ())
            if scan.repo.files[site.path].role is Role.SOURCE
            and (reliance := _reliance(scan, site, function, texts)) is not None
        ]
        if reliances and _may_be_nothing(_text(scan, file.path, texts), function):
            yield _report(file, function, reliances)


def _is_candidate(function: Function) -> bool:
    if function.result or function.is_anonymous or function.in_test or function.is_test:
        return False
    if any(name not in _PLAIN_DECORATORS for name in function.decorators):
        return False
    tuples = [shape for shape in function.returns if shape.startswith("tuple")]
    if len(tuples) > 1:
        return not any(param.boolean or _SHAPE_PARAMETER.match(param.name) for param in function.params)
    return ("nothing" in function.returns and ("value" in function.returns or bool(tuples))) or (
        bool(tuples) and "empty" in function.returns
    )


def _text(scan: Pass, path: str, texts: dict[str, list[str]]) -> list[str]:
    if path not in texts:
        texts[path] = scan.repo.read(path).decode("utf-8", "replace").split("\n")
    return texts[path]


def _may_be_nothing(text: list[str], function: Function) -> bool:
    """Whether a caller can get nothing, or another number of values."""
    body = "\n".join(text[function.start - 1 : function.end])
    if re.search(r"\byield\b", body):
        return False
    if sum(shape.startswith("tuple") for shape in function.returns) > 1:
        return True
    for param in function.params:  # passing None to get None is fine
        body = re.sub(
            rf"if\s*\(?\s*{re.escape(param.name)}\s*(?:is|===?)\s*(?:None|null|undefined)[^\n]*\n\s*return\b",
            "",
            body,
        )
    return _RETURNS_NOTHING.search(_OPTIONAL_IMPORT.sub("", body)) is not None


def _reliance(scan: Pass, site: CallSite, called: Function, texts: dict[str, list[str]]) -> Reliance | None:
    """How a call relies on the shape of the result; None if it may check it first."""
    facts, call = scan.repo.files[site.path].facts, site.call
    around = facts.functions[call.function] if call.function >= 0 else None
    if around is not None and (around.in_test or around.is_test):
        return None
    if any(handler.body_start <= call.line <= handler.body_end for handler in facts.handlers):
        return None
    if called.is_async and not call.awaited:
        return None
    how = _how_it_relies(_text(scan, site.path, texts), call.line, call.target, called)
    return Reliance(site, how, around.qualname if around else "") if how else None


def _how_it_relies(text: list[str], line_number: int, target: str, called: Function) -> str:
    line = text[line_number - 1]
    last = re.split(r"[.:>]", target)[-1]
    match = re.search(rf"[\w.$]*\b{re.escape(last)}\s*\(", line)
    if match is None:
        return ""
    rest = "\n".join([line[match.end() :], *text[line_number : line_number + 12]])[:_MAX_CALL_CHARS]
    after = rest[_closing_bracket(rest) + 1 :]
    before = re.sub(r"\b(?:await|return)\s*\(?\s*$", "", line[: match.start()])
    if called.is_async:
        after = after.lstrip(")")
    if re.match(r"\s*(?:or\b|\|\||\?\?|\?\.)", after):
        return ""
    tuples = any(shape.startswith("tuple") for shape in called.returns)
    if _UNPACKS.search(before) and not after.lstrip().startswith((",", ".", "[", "if ", "or ")):
        return "unpacks the result"
    if _DESTRUCTURES.search(before):
        return "destructures the result"
    if _ITERATES.search(before) and ("nothing" in called.returns or "empty" in called.returns):
        return "iterates over the result"  # a loop takes tuples of any length
    if _READS.match(after) and not _PROMISE_METHOD.match(after) and (not tuples or after.startswith("[")):
        return "reads from the result without a check"
    return ""


def _closing_bracket(rest: str) -> int:
    """The position of the bracket that closes an open one."""
    depth = 1
    for at, char in enumerate(rest):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return at
    return len(rest)


def _report(file: File, function: Function, reliances: list[Reliance]) -> Finding:
    tuples = [shape.removeprefix("tuple ") for shape in function.returns if shape.startswith("tuple")]
    if len(tuples) > 1:
        what = f"returns tuples of {' or '.join(tuples)} values"
    else:
        what = f"returns {f'a tuple of {tuples[0]} values' if tuples else 'a value'} on some paths and nothing on others"
    first = reliances[0]
    at = f"{first.site.path}:{first.site.call.line}"
    return Finding(
        at_function(file, function),
        Severity.MEDIUM,
        f"`{function.name}` {what}, but the call at {at} {first.how}"
        + (
            f", and so {'does' if len(reliances) == 2 else 'do'} {len(reliances) - 1} more."
            if len(reliances) > 1
            else "."
        ),
        signals=(
            Signal(
                "return_roulette",
                Category.SYNTAX,
                80,
                f"its return statements have the shapes {', '.join(function.returns)}",
            ),
            Signal(
                "return_roulette",
                Category.GRAPH,
                80,
                f"{count(len(reliances), 'call relies', 'calls rely')} on one of them",
            ),
        ),
        evidence={"shapes": Measure(function.returns), "relying_calls": Measure(len(reliances), 0)},
        related=tuple(
            Related(Place(item.site.path, item.site.call.line, item.site.call.line, item.symbol), item.how)
            for item in reliances[:_MAX_RELATED]
        ),
    )


DETECTOR = Detector(
    id="return_roulette",
    title="Inconsistent return shape",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    detect=detect,
    default=False,
    needs=(SYMBOLS,),
    examples=(
        Example(
            "a pair or nothing, which a caller unpacks, in Python",
            {
                "split.py": "def split_name(name):\n    if not name:\n        return\n    first, _, last = name.partition(' ')\n    return first, last\n",
                "greet.py": "from split import split_name\n\n\ndef greet(name):\n    first, last = split_name(name)\n    return f'Dear {last}'\n",
            },
            ("split.py:1",),
        ),
        Example(
            "tuples of different lengths",
            {
                "size.py": "def size(shape):\n    if shape.depth:\n        return shape.width, shape.height, shape.depth\n    return shape.width, shape.height\n\n\n"
                "def area(shape):\n    width, height = size(shape)\n    return width * height\n"
            },
            ("size.py:1",),
        ),
        Example(
            "a value or nothing, which a caller reads without a check, in JavaScript",
            {
                "src/find.js": "export function findUser(users, id) {\n  if (!users) {\n    return;\n  }\n  return users.find((user) => user.id === id);\n}\n",
                "src/mail.js": 'import { findUser } from "./find";\n\nexport function address(users, id) {\n  return findUser(users, id).mail;\n}\n',
            },
            ("src/find.js:1",),
        ),
        Example(
            "silent when callers check first",
            {
                "src/find.js": "export function findUser(users, id) {\n  if (!users) {\n    return;\n  }\n  return users.find((user) => user.id === id);\n}\n",
                "src/mail.js": 'import { findUser } from "./find";\n\nexport function address(users, id) {\n  const user = findUser(users, id);\n'
                "  return user ? user.mail : findUser(users, 0)?.mail;\n}\n",
            },
        ),
        Example(
            "silent when a flag asks for more",
            {
                "size.py": "def size(shape, deep=False):\n    if deep:\n        return shape.width, shape.height, shape.depth\n    return shape.width, shape.height\n\n\n"
                "def area(shape):\n    width, height = size(shape)\n    return width * height\n"
            },
        ),
        Example(
            "silent when nothing is returned for nothing, or a package is missing",
            {
                "split.py": "HAS_NAMES = False\n\n\ndef split_name(name):\n    if name is None:\n        return\n    if not HAS_NAMES:\n        return\n    return name, name\n\n\n"
                "def greet(name):\n    first, last = split_name(name)\n    return f'Dear {last}'\n",
            },
        ),
        Example(
            "silent inside a try",
            {
                "split.py": "def split_name(name):\n    if not name:\n        return\n    first, _, last = name.partition(' ')\n    return first, last\n",
                "greet.py": "from split import split_name\n\n\ndef greet(name):\n    try:\n        first, last = split_name(name)\n    except TypeError:\n        return 'Hello'\n"
                "    return f'Dear {last}'\n",
            },
        ),
        Example(
            "silent with a result type, in a generator, and behind a decorator",
            {
                "split.py": "from contextlib import contextmanager\n\n\ndef typed(name) -> tuple[str, str] | None:\n    if not name:\n        return None\n    return name, name\n\n\n"
                "def each(names):\n    if not names:\n        return\n    yield names\n    return names, 1\n\n\n@contextmanager\ndef opened(name):\n    if not name:\n        return\n"
                "    return name, 1\n\n\ndef use(names):\n    a, b = typed(names)\n    for name in each(names):\n        a, b = opened(name)\n    return a, b\n"
            },
        ),
        Example(
            "silent when only tests rely on it",
            {
                "split.py": "def split_name(name):\n    if not name:\n        return\n    return name, name\n",
                "tests/test_split.py": "from split import split_name\n\n\ndef test_split():\n    first, last = split_name('a')\n    assert first == last\n",
            },
        ),
    ),
)
