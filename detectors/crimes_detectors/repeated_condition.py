"""A condition is tested twice in one decision, so the second test changes nothing.

It finds an `else if` with the condition of an earlier arm, a `case` whose label already occurs in the same `switch` or `match`, and an operand
that occurs twice in one run of `and` or `or`.

## Why it matters

The second arm never runs, or the second check adds nothing: usually one of the two was meant to test something else.

## What to do

Test what was meant, or delete the second test.

## Before

```python
def name(key):
    if key == UP:
        return "up"
    elif key == DOWN:
        return "down"
    elif key == UP:
        return "left"
    return ""
```

## After

```python
def name(key):
    if key == UP:
        return "up"
    elif key == DOWN:
        return "down"
    elif key == LEFT:
        return "left"
    return ""
```

## What it does not report

- Conditions whose result may differ the second time: calls that do something, `await`, assignments, increments.
- An operand that is the value of the whole: `a and a.ready and a`.
- A condition that uses a name which a condition in between changes: `else if ((error = send()) < 0)`.
- A label of a `switch` whose first case runs on into the second, without a `break` or `return`.
- A JavaScript value that guards itself in markup, a spread or an argument: `{icon && icon}`, `...(extra && extra)`, `join(icon && icon)`.
- A name that the grammar could read only a part of: `kind::a` in a C++ header that is read as C.
- In TypeScript, a value that is checked and then used with `!`: `tags && tags!.length`.
- A condition that is tested again in another chain, or nested in an arm.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from crimes.api import (
    ANY,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Repeat,
    Role,
    Severity,
    Signal,
    may_act,
    only_looks,
    regex,
)

SCRIPT_FILE = regex(r"\.(?:[cm]?[jt]s|[jt]sx|vue|svelte|astro)$")
CHANGING_MACRO = regex(r"\b__(?:LINE|COUNTER)__\b")  # another number each time
MAX_CONDITION_CHARS = 120  # of a longer one not all is known


def _answers_the_same(repeat: Repeat) -> bool:
    """Whether asking twice gives one answer, as far as the words say.

    Between two conditions of a chain only other conditions are asked, so a call there is taken to look unless its name says otherwise.
    """
    if len(repeat.text) >= MAX_CONDITION_CHARS or CHANGING_MACRO.search(repeat.text):
        return False
    return only_looks(repeat.text) if repeat.kind == "operand" else not may_act(repeat.text)


def _guards_itself(repeat: Repeat, file: File, scan: Pass) -> bool:
    """Whether it is `{icon && icon}`, `...(extra && extra)` or `join(icon && icon)`: a value that is used if there is one, and no condition."""
    if not SCRIPT_FILE.search(file.path) or repeat.first != repeat.line:
        return False
    line = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")[repeat.line - 1]
    text = re.escape(repeat.text)
    guard = rf"{text}\s*&&\s*{text}"
    if re.search(rf"\b(?:if|while)\s*\(\s*{guard}\s*\)", line):
        return False
    return re.search(rf"(?:^|[(,\[{{])\s*{guard}\s*(?:[),\]}}]|$)", line) is not None


def _is_asserted(repeat: Repeat, file: File, scan: Pass) -> bool:
    """Whether it is `a && a!.b` in TypeScript, which the grammar reads as `(a && a)!.b`."""
    if not SCRIPT_FILE.search(file.path):
        return False
    lines = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")[repeat.first - 1 : repeat.end]
    return re.search(rf"{re.escape(repeat.text)}!(?!=)", "\n".join(lines)) is not None


def _is_cut_off(repeat: Repeat, file: File, scan: Pass) -> bool:
    """Whether a name goes on behind it: in a C++ header that is read as C, `kind::a` and `kind::b` are both `kind`."""
    if "::" in repeat.text:
        return False
    lines = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")[repeat.first - 1 : repeat.end]
    last_word = repeat.text.rpartition(" ")[2]
    return any(f"{last_word}::" in line for line in lines)


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    for file in scan.files(Role.SOURCE):
        numbers: Counter[tuple[str, str]] = Counter()
        for repeat in file.facts.repeats:
            if repeat.kind not in _FACTS or not _answers_the_same(repeat):
                continue
            if _is_cut_off(repeat, file, scan):
                continue
            function = file.facts.functions[repeat.function] if repeat.function >= 0 else None
            if function is not None and (function.in_test or function.is_test):
                continue
            if repeat.kind == "operand" and (
                _guards_itself(repeat, file, scan) or _is_asserted(repeat, file, scan)
            ):
                continue
            place = Place(file.path, repeat.line, repeat.end, function.qualname if function else "")
            numbers[place.symbol, repeat.text] += 1
            yield Finding(
                place,
                Severity.LOW,
                _FACTS[repeat.kind].format(_shown(repeat.text), repeat.first),
                signals=(Signal("same tokens", Category.SYNTAX, 92, "both are the same, token by token"),),
                evidence={"condition": Measure(repeat.text), "first_line": Measure(repeat.first)},
                related=(
                    Related(
                        Place(file.path, repeat.first, repeat.first, place.symbol), "where it is asked first"
                    ),
                )
                if repeat.first != repeat.line
                else (),
                discriminator=f"{repeat.text}|{numbers[place.symbol, repeat.text]}",
            )


_FACTS = {
    "condition": "`{}` was asked before in this chain (line {}): this arm never runs.",
    "label": "The case `{}` stands before in this decision (line {}): this one never runs.",
    "operand": "`{}` occurs twice in one condition (first at line {}): the second has no effect.",
}


def _shown(text: str) -> str:
    """The condition without the brackets around all of it."""
    inner = text[1:-1].strip()
    return (
        inner
        if text[:1] == "(" and text[-1:] == ")" and not set("()") & set(inner)
        else text.removeprefix("case ")
    )


_PYTHON = """def name(key):
    if key == UP:
        return 'up'
    elif key == DOWN:
        return 'down'
    elif key == UP:
        return 'left'
    return ''
"""

DETECTOR = Detector(
    id="repeated_condition",
    title="Repeated condition",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    detect=detect,
    examples=(
        Example(
            "silent on a macro that is another number each time",
            {
                "dump.c": "int dump(int line) {\n    switch (line) {\n    case __LINE__:\n        show(1);\n        break;\n"
                "    case __LINE__:\n        show(2);\n        break;\n    }\n    return 0;\n}\n",
            },
        ),
        Example(
            "silent where a name goes on behind what the grammar could read",
            {
                "kinds.h": "bool is_number(kind_t kind) {\n    return kind == kind_t::i8 || kind == kind_t::i16 ||\n"
                "           kind == kind_t::i32 || kind == kind_t::i64;\n}\n",
                "main.c": '#include "kinds.h"\n',
            },
        ),
        Example(
            "silent on a value that guards itself in markup",
            {"src/Card.tsx": "export const Card = ({ icon }: Props) => <div>{icon && icon}</div>;\n"},
        ),
        Example(
            "silent on a value that is spread if it is set",
            {
                "src/ask.ts": "export const ask = (id: string, extra?: Extra) => send({ id, ...(extra && extra) });\n"
            },
        ),
        Example(
            "silent on an argument that is passed if it is set, but not on a condition",
            {
                "src/card.ts": "export const card = (icon?: string) => join('card', icon && icon, 'wide');\n"
                "export function mark(icon?: string) {\n  if (icon && icon) {\n    send(icon);\n  }\n}\n"
            },
            ("src/card.ts:3",),
        ),
        Example(
            "silent on the value of a default in Kotlin",
            {
                "Mode.kt": "fun next(mode: Mode): Mode {\n    return when (mode) {\n        Mode.OFF -> Mode.ON\n        else -> Mode.OFF\n    }\n}\n"
            },
        ),
        Example(
            "silent where something is done in between",
            {
                "make.php": "<?php\nfunction make($dir) {\n    if (!is_dir($dir) && !mkdir($dir) && !is_dir($dir)) {\n        throw new Failure();\n    }\n}\n"
            },
        ),
        Example(
            "silent on calls that may take something away",
            {"read.c": "int both(struct bits *b) {\n    return get_bits(b, 1) && get_bits(b, 1);\n}\n"},
        ),
        Example("an elif in Python", {"keys.py": _PYTHON}, ("keys.py:6",), severity=Severity.LOW),
        Example(
            "an else if in TypeScript",
            {
                "src/keys.ts": "export function name(key: Key) {\n  if (key.code === UP) {\n    return 'up';\n"
                "  } else if (key.code === DOWN) {\n    return 'down';\n  } else if (key.code === UP) {\n    return 'left';\n  }\n}\n"
            },
            ("src/keys.ts:6",),
        ),
        Example(
            "an arm that stands twice is low: nothing is lost",
            {
                "keys.py": "def name(key):\n    if key == UP:\n        return 'up'\n    elif key == DOWN:\n        return 'down'\n"
                "    elif key == UP:\n        return 'up'\n    return ''\n"
            },
            ("keys.py:6",),
            severity=Severity.LOW,
        ),
        Example(
            "silent where a value changes between the operands",
            {
                "src/ip.ts": "export const valid = (ip: string, i: number) => {\n  return (i = ip.indexOf('.', i)) > 0 && isWord(ip, i) && (i = ip.indexOf('.', i + 1)) > 0 && isWord(ip, i);\n};\n"
            },
        ),
        Example(
            "silent on attributes before the cases of a match",
            {
                "src/keys.rs": "pub fn name(key: Key) -> u8 {\n    match key {\n        #[cfg(unix)]\n        Key::Up => 1,\n        #[cfg(unix)]\n        Key::Down => 2,\n"
                "        #[cfg(windows)]\n        Key::Up => 3,\n        _ => 0,\n    }\n}\n"
            },
        ),
        Example(
            "a case that stands twice",
            {
                "src/code.js": "export function name(code) {\n  switch (code) {\n    case 'a':\n      return 1;\n"
                "    case 'b':\n      return 2;\n    case 'a':\n      return 3;\n  }\n}\n",
                "code.py": "def name(code):\n    match code:\n        case 1:\n            return 'a'\n"
                "        case 1:\n            return 'b'\n",
            },
            ("code.py:5", "src/code.js:7"),
            severity=Severity.LOW,
        ),
        Example(
            "an operand that stands twice",
            {
                "size.py": "def empty(box):\n    return box.width == 0 or box.depth == 0 or box.width == 0\n",
                "size.php": "<?php\nfunction empty_box($box) {\n    return ! isset($box['a']) || ! isset($box['a']) || $box['b'];\n}\n",
                "src/size.ts": "export const empty = (box: Box) => {\n  return isZero(box.a) && isZero(box.a);\n};\n",
            },
            ("size.php:3", "size.py:2", "src/size.ts:2"),
            severity=Severity.LOW,
        ),
        Example(
            "silent on a call that does something",
            {
                "src/read.js": "export function read(input) {\n  if (input.take(4)) {\n    return 1;\n  } else if (input.next()) {\n"
                "    return 2;\n  } else if (input.take(4)) {\n    return 3;\n  }\n  return input.take(1) && input.take(1);\n}\n"
            },
        ),
        Example(
            "silent where the last operand is the value",
            {
                "pick.py": "def pick(a, b):\n    name = a and a or b\n    return a and a.ready and a\n",
                "src/pick.js": "export const pick = (a) => {\n  return a && a.ready && a;\n};\n",
            },
        ),
        Example(
            "silent where the second is not the same in TypeScript",
            {
                "src/tags.ts": "export const any = (tags?: string[]) => {\n  return tags && tags!.length > 0;\n};\n",
                "src/other.ts": "export const any = (tags?: string[]) => {\n  return (\n    tags &&\n    tags!.length > 0\n  );\n};\n",
            },
        ),
        Example(
            "silent on an assignment",
            {
                "src/read.js": "export function read(a, i) {\n  if (a[i++]) {\n    return 1;\n  } else if (a[i++]) {\n    return 2;\n  }\n}\n"
            },
        ),
        Example(
            "silent where a condition in between changes a name",
            {
                "send.c": "int report(int error) {\n    if (error < 0) {\n        return 1;\n    } else if ((error = send_all()) == 0) {\n"
                "        return 2;\n    } else if (error < 0) {\n        return 3;\n    }\n    return 0;\n}\n"
            },
        ),
        Example(
            "a condition in between that changes another name",
            {
                "send.c": "int report(int error, int sent) {\n    if (error < 0) {\n        return 1;\n    } else if ((sent = send_all()) == 0) {\n"
                "        return 2;\n    } else if (error < 0) {\n        return 3;\n    }\n    return sent;\n}\n"
            },
            ("send.c:6",),
        ),
        Example(
            "silent on a label whose first case runs on into the second",
            {
                "lists.php": "<?php\nfunction lists($type) {\n    switch ($type) {\n        case 'lists':\n        case null:\n            $all['lists'] = lists();\n"
                "            // no break\n        case 'forms':\n        case null:\n            $all['forms'] = forms();\n    }\n    return $all;\n}\n",
            },
        ),
        Example(
            "a label whose first case ends before the second",
            {
                "lists.php": "<?php\nfunction lists($type) {\n    switch ($type) {\n        case null:\n        case 'lists':\n            $all['lists'] = lists();\n"
                "            break;\n        case 'forms':\n        case null:\n            $all['forms'] = forms();\n    }\n    return $all;\n}\n",
            },
            ("lists.php:9",),
        ),
        Example(
            "silent on a condition of another chain",
            {
                "keys.py": "def name(key):\n    if key == UP:\n        go(1)\n    elif key == DOWN:\n        go(2)\n"
                "    if key == UP:\n        go(3)\n"
            },
        ),
        Example("silent in a test", {"tests/test_keys.py": _PYTHON}),
    ),
)
