"""One setting is read with different defaults in different files.

It looks at environment variables and configuration keys that are read with a literal default, and reports a key whose defaults
differ between files.

## Why it matters

When the setting is missing, parts of one program assume different values, and changing the default in one place changes only some of them.

## What to do

Read the setting in one place and import the value everywhere else.

## Before

```python
# worker.py
import os

TIMEOUT = int(os.environ.get("JOB_TIMEOUT", "30"))

# web.py
import os

def remaining(elapsed):
    return int(os.getenv("JOB_TIMEOUT", "60")) - elapsed
```

## After

```python
# settings.py
import os

JOB_TIMEOUT = int(os.environ.get("JOB_TIMEOUT", "30"))

# web.py
from settings import JOB_TIMEOUT

def remaining(elapsed):
    return JOB_TIMEOUT - elapsed
```

## What it accepts

- The same default written differently: `"8080"` and `8080`, `true` and `"True"`.
- No default, or an empty one: checking whether a setting exists assumes nothing about its value.
- Computed defaults.
- A configuration key and an environment variable with the same name: one is filled from the other.
- Files of packages that each have their own manifest: they are separate programs.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from msgspec import Struct

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
    Role,
    Severity,
    Signal,
    Text,
    regex,
)

# Calls that read a setting by name. A plain `get` counts only on an environment or a configuration.
_READING_CALL = regex(
    r"(?i)(?:^|[._:>$])(?:environ|env|config|settings|system|system\.getenv\(\))(?:\(\))?(?:\.|::|->)(?:get|fetch|getordefault|getproperty)$"
    r"|(?:^|[._:>])(?:getenv|get_env|env|getproperty)$|(?:^|[._:])get_\w*from_env$"
)
_ENVIRONMENT_CALL = regex("(?i)env")
_AS_ATTRIBUTE = "process.env"
_LITERAL = r"""(?P<value>"[^"\n]*"|'[^'\n]*'|`[^`$\n]*`|-?\d[\w.]*|[Tt]rue|[Ff]alse)"""
_AS_ARGUMENT = regex(r"""["'`]\s*,\s*(?:default\s*=\s*)?""" + _LITERAL + r"\s*,?\s*\)")
_AS_FALLBACK = regex(r"""\s*(?:\|\||\?\?|\?:)\s*""" + _LITERAL + r"(?!\s*[+.(\[?])")
_MANIFESTS = frozenset(
    {"package.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml", "composer.json", "pom.xml"}
)
_MIN_KEY_CHARS = 4


class Read(Struct, frozen=True):
    """A place that reads a setting, and the default it falls back on."""

    path: str
    line: int
    symbol: str
    default: str


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    texts: dict[tuple[str, bool], list[tuple[File, Text]]] = {}
    for file in scan.repo.files.values():
        if file.role is Role.SOURCE:
            for text in file.facts.texts:
                if text.call and len(text.value) >= _MIN_KEY_CHARS and _is_read(text.call):
                    from_environment = _ENVIRONMENT_CALL.search(text.call) is not None
                    texts.setdefault((text.value, from_environment), []).append((file, text))
    lines: dict[str, list[str]] = {}
    for (key, _), places in sorted(texts.items(), key=lambda item: item[0]):
        if len({file.path for file, _ in places}) < 2:
            continue
        by_program: dict[str, list[Read]] = {}
        for file, text in places:
            read = _parse_read(scan, file, text, lines)
            if read is not None:
                by_program.setdefault(_program_folder(scan, file.path), []).append(read)
        for reads in by_program.values():
            if len({read.default for read in reads}) > 1 and len({read.path for read in reads}) > 1:
                yield _report(key, sorted(reads, key=lambda read: (read.path, read.line)))


def _is_read(call: str) -> bool:
    return call == _AS_ATTRIBUTE or _READING_CALL.search(call) is not None


def _parse_read(scan: Pass, file: File, text: Text, lines: dict[str, list[str]]) -> Read | None:
    """The read with its default, normalised; None if the default is absent, empty or computed."""
    function = file.facts.functions[text.function] if text.function >= 0 else None
    if function is not None and (function.in_test or function.is_test):
        return None
    if file.path not in lines:
        lines[file.path] = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
    around = "\n".join(lines[file.path][text.line - 1 : text.line + 3])
    position = around.find(text.value)
    if position < 0:
        return None
    rest = around[position + len(text.value) :]
    after_call = re.sub(r"^[\"'`]\s*\)", "", rest)
    match = _AS_ARGUMENT.match(rest) or (
        _AS_FALLBACK.match(after_call) if after_call != rest or text.call == _AS_ATTRIBUTE else None
    )
    default = match["value"].strip("\"'`").lower() if match else ""
    return Read(file.path, text.line, function.qualname if function else "", default) if default else None


def _program_folder(scan: Pass, path: str) -> str:
    """The folder of the nearest manifest above a file: its files are configured together."""
    while path:
        path = posixpath.dirname(path)
        if any(posixpath.join(path, name) in scan.repo.paths for name in _MANIFESTS):
            break
    return path


def _report(key: str, reads: list[Read]) -> Finding:
    first = reads[0]
    defaults = list(dict.fromkeys(read.default for read in reads))
    other = next(read for read in reads if read.default != first.default)
    return Finding(
        Place(first.path, first.line, first.line, first.symbol),
        Severity.MEDIUM,
        f"`{key}` has {len(defaults)} different defaults in {len({read.path for read in reads})} files: "
        f"`{first.default}` here, `{other.default}` in {other.path} (line {other.line}).",
        signals=(
            Signal(
                "conflicting_default", Category.SYNTAX, 80, f"{len(defaults)} literal defaults for one key"
            ),
        ),
        evidence={
            "defaults": Measure(len(defaults), 1),
            "values": Measure(tuple(defaults)),
            "files": Measure(len({read.path for read in reads})),
        },
        related=tuple(
            Related(Place(read.path, read.line, read.line, read.symbol), f"defaults to `{read.default}`")
            for read in reads[1:]
        ),
        discriminator=key,
    )


DETECTOR = Detector(
    id="conflicting_default",
    title="Setting with conflicting defaults",
    category="duplication",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    detect=detect,
    default=False,
    examples=(
        Example(
            "two defaults for a variable in Python",
            {
                "worker.py": 'import os\n\nTIMEOUT = int(os.environ.get("JOB_TIMEOUT", "30"))\n',
                "web.py": 'import os\n\n\ndef timeout():\n    return int(os.getenv("JOB_TIMEOUT", "60"))\n',
            },
            ("web.py:5",),
        ),
        Example(
            "two defaults for a variable in TypeScript",
            {
                "src/a.ts": 'export const url = process.env.QUEUE_URL || "redis://localhost";\n',
                "src/b.ts": 'export const url = process.env.QUEUE_URL ?? "redis://queue";\n',
            },
            ("src/a.ts:1",),
        ),
        Example(
            "silent on one default written in two ways",
            {
                "worker.py": 'import os\n\nTIMEOUT = int(os.environ.get("JOB_TIMEOUT", "30"))\n',
                "web.py": 'import os\n\nTIMEOUT = int(os.environ.get("JOB_TIMEOUT", 30))\n',
            },
        ),
        Example(
            "silent when one only checks whether it is set",
            {
                "worker.py": 'import os\n\nTIMEOUT = int(os.environ.get("JOB_TIMEOUT", "30"))\n',
                "web.py": 'import os\n\nif os.environ.get("JOB_TIMEOUT", ""):\n    print("set")\n',
            },
        ),
        Example(
            "silent on computed defaults",
            {
                "worker.py": 'import os\n\nTIMEOUT = os.environ.get("JOB_TIMEOUT", str(60 * 2))\n',
                "web.py": 'import os\n\nTIMEOUT = os.environ.get("JOB_TIMEOUT", "60")\n',
            },
        ),
        Example(
            "silent on a `get` of something else",
            {
                "worker.py": 'def seconds(answers):\n    return answers.get("JOB_TIMEOUT", "30")\n',
                "web.py": 'def seconds(answers):\n    return answers.get("JOB_TIMEOUT", "60")\n',
            },
        ),
        Example(
            "silent when the configuration is filled from the environment",
            {
                "config.py": 'import os\n\nCAPTURE_ALL = os.environ.get("CAPTURE_ALL", "true")\n',
                "web.py": 'def capture(app):\n    return app.config.get("CAPTURE_ALL", False)\n',
            },
        ),
        Example(
            "silent on separate packages",
            {
                "a/package.json": '{"name": "a"}\n',
                "a/src/url.ts": 'export const url = process.env.QUEUE_URL || "redis://localhost";\n',
                "b/package.json": '{"name": "b"}\n',
                "b/src/url.ts": 'export const url = process.env.QUEUE_URL ?? "redis://queue";\n',
            },
        ),
        Example(
            "silent in tests",
            {
                "worker.py": 'import os\n\nTIMEOUT = int(os.environ.get("JOB_TIMEOUT", "30"))\n',
                "tests/test_worker.py": 'import os\n\nTIMEOUT = int(os.environ.get("JOB_TIMEOUT", "60"))\n',
            },
        ),
    ),
)
