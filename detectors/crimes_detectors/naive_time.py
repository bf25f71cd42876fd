"""The current time is taken without a time zone, and then stored, compared or subtracted.

It follows imports to clocks whose result has no zone (`datetime.now()`, `datetime.utcnow()`, `LocalDateTime.now()`), and looks at what is
done with the result.

## Why it matters

The value means another moment on a machine in another zone, and cannot be compared with a time that has one. It is off by an hour
twice a year. Nothing in the value says so, and tests that run in one zone never notice.

## What to do

Take the time with a zone, as in `datetime.now(timezone.utc)` or `Instant.now()`, or use the framework's own clock. Measure a duration
with a monotonic clock.

## Before

```python
from datetime import datetime, timedelta

def open_session(user):
    user.session_expires_at = datetime.now() + timedelta(hours=1)

def is_expired(user):
    return user.session_expires_at < datetime.now()
```

## After

```python
from datetime import datetime, timedelta, timezone

def open_session(user):
    user.session_expires_at = datetime.now(timezone.utc) + timedelta(hours=1)

def is_expired(user):
    return user.session_expires_at < datetime.now(timezone.utc)
```

## What it accepts

- Times that are only shown, logged, or put into a name (`strftime`, `isoformat`, a part such as `.year`).
- Times that get a zone at once (`.astimezone()`, `.replace(tzinfo=...)`), or become a number (`.timestamp()`; of `utcnow()` that is wrong).
- How long something took: two clocks read in one function, or names such as `start_time`.
- Times in UTC (`utcnow()`) that are only compared: with others in UTC that is right.
- Values made up for a test or a first start (`add_test_data`, `seed_…`).
- Comparisons in whole days, and with the hour of a day (`now.replace(hour=2)`): there the wall clock is meant.
- A comment at the call that states the reason lowers the severity; one that turns off a linter's rule about such times (`noqa: DTZ005`,
  `disable=…naive…`) silences it: the missing zone is known there.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from crimes.api import (
    SYMBOLS,
    Call,
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
    Role,
    Severity,
    Signal,
    regex,
    states_reason,
)

_CLOCKS = regex(r"datetime\.datetime\.(?:now|today|utcnow)|java\.time\.LocalDateTime\.now")
_LAST_NAME = regex(r"(?:^|\.)(?:now|today|utcnow)$")
# Code that one person runs on one machine.
_TOOL_PATH = regex(r"(?:^|/)(?:cli|scripts?|bin|tools?|dev|release|hacking|tests?|examples?|benchmarks?)/")
# Where whole days are compared, the zone hardly matters.
_IN_DAYS = regex(r"\.days\b|(?:days|weeks|months|years)\s*=")
_LOCAL_CALL = regex(r"\b(?:now|today|fromtimestamp)\s*\(")
_UTC_CALL = regex(r"\b(?:utcnow|utcfromtimestamp)\s*\(")
# Names of stopwatches: they are compared with the same clock, in the same process.
_STOPWATCH = regex(
    r"start|began|begin|(?:^|_)end(?:_|$)|end_?time|prev|tick|elapsed|(?:^|_)last_(?!updated|modified|seen|login|changed)|"
    r"(?:request|response|call|chunk|api)\w*time",
    re.IGNORECASE,
)
_WRONG_AS_NUMBER = regex(r"\.(?:timestamp\(|toEpochSecond\()")
_ZONED = regex(r"\.(?:astimezone|replace\(\s*tzinfo|atZone|atOffset)")
_COMPARED_AFTER = regex(r"\s*(?:-(?!>)|[<>]=?|==|!=)\s*([\w.\[\]'\"]*)")
_SHIFTED = regex(r"\s*[-+]\s*(?:\w+\.)?(?:timedelta|relativedelta)\(")
_COMPARED_BEFORE = regex(r"([\w.\[\]'\"]*)\s*(?:-|[<>]=?|==|!=)\s*$")
_ASSIGNED_TO = regex(r"(?:[\w\])]\.(\w+)|\])\s*=\s*$")
_FIELD = regex(
    r"(?:[(,{]\s*['\"]?|^\s*['\"]?(?=\w+(?:=\S|=$|['\"]\s*:)))"
    r"(\w*(?:_at|_on|At|On|date|Date|time|Time|timestamp|created|modified|updated|expires?|seen)\w*)['\"]?\s*[=:]\s*$"
)
_LOCAL_NAME = regex(r"(?:^|\s)(?:(?:final\s+)?(?:var|val|LocalDateTime)\s+)?([a-z_]\w*)\s*(?::[^=]+)?=\s*$")
_RECORD_FIELD = regex(r"_at$|_on$|At$|updated|created|modified|expir|date$|seen$", re.IGNORECASE)
_MAX_CALL_CHARS = 400  # with what follows the call


class Use(Struct, frozen=True):
    """What is done with a time; `how` is the wording of the message."""

    how: str
    severity: Severity


_COMPARED = Use("compared or subtracted", Severity.LOW)
_FAKE_DATA = regex(r"test_?data|(?:^|[._])(?:seed|fake)", re.IGNORECASE)
_IN_FORMAT = regex(r"\.format\([^)]*$")
_WAIVED = regex(r"(?:#|//).*(?:noqa:.*\bDTZ\d|disable=\S*naive)")


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    symbols = scan[SYMBOLS]
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE or _TOOL_PATH.search(file.path):
            continue
        calls = [
            (call, name)
            for call in file.facts.calls
            if _LAST_NAME.search(call.target)
            and _CLOCKS.fullmatch(name := symbols.external_name(file.path, call.target))
        ]
        if not calls:
            continue
        text = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
        seen: set[str] = set()
        for call, name in calls:
            function = file.facts.functions[call.function] if call.function >= 0 else None
            symbol = function.qualname if function else ""
            if symbol in seen or (function is not None and (function.in_test or function.is_test)):
                continue
            use = _use_of_result(call, name, function, text)
            if use == _COMPARED and "utc" in name:
                continue  # two times in UTC compare correctly on every machine
            waived = _FAKE_DATA.search(symbol) or _WAIVED.search(text[call.line - 1])
            if use is not None and not waived:
                seen.add(symbol)
                yield _report(file, call, name, use, symbol)


def _use_of_result(call: Call, name: str, function: Function | None, text: list[str]) -> Use | None:
    """What is done with the result; None if its missing zone does not matter."""
    line = text[call.line - 1]
    last = call.target.rpartition(".")[2]
    match = re.search(rf"[\w.]*\b{last}\s*\(", line)
    if match is None:
        return None
    rest = "\n".join([line[match.end() :], *text[call.line : call.line + 6]])[:_MAX_CALL_CHARS]
    end = _closing_bracket(rest)
    arguments, after = rest[:end], rest[end + 1 :]
    if arguments.strip() or _ZONED.match(after):
        return None
    before = line[: match.start()]
    if call.line > 1 and not before.strip():
        before = text[call.line - 2]
    if _WRONG_AS_NUMBER.match(after) and "utc" in name:
        return Use("turned into a number as if it were local time", Severity.MEDIUM)
    shifted = _SHIFTED.match(after) is not None
    if after.startswith(".") or _IN_FORMAT.search(before):
        return None
    is_stopwatch = function is not None and _is_stopwatch(function, text)
    stored = _ASSIGNED_TO.search(before) or _FIELD.search(before)
    if stored is not None:
        place = stored.group(1) or ""
        if _STOPWATCH.search(place) or (is_stopwatch and not _RECORD_FIELD.search(place)):
            return None
        return Use("stored", Severity.MEDIUM)
    if shifted and _IN_DAYS.search(rest):
        return None
    named = _LOCAL_NAME.search(before)
    if named is not None and function is not None:
        return _use_of_name(named.group(1), call, function, text)
    other = (None if shifted else _COMPARED_AFTER.match(after)) or _COMPARED_BEFORE.search(before)
    if other is None or is_stopwatch or _STOPWATCH.search(other.group(1)) or _IN_DAYS.search(line):
        return None
    return _COMPARED


def _closing_bracket(rest: str) -> int:
    """The position of the bracket that closes an open one."""
    depth = 1
    for at, char in enumerate(rest):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return at
    return len(rest)


def _is_stopwatch(function: Function, text: list[str]) -> bool:
    """Whether the function reads one clock more than once: the difference is a duration."""
    body = "\n".join(text[function.start - 1 : function.end])
    local_reads, utc_reads = len(_LOCAL_CALL.findall(body)), len(_UTC_CALL.findall(body))
    return (local_reads > 1 and not utc_reads) or (utc_reads > 1 and not local_reads)


def _use_of_name(name: str, call: Call, function: Function, text: list[str]) -> Use | None:
    """What the function does with the local variable that holds a time."""
    body = "\n".join(text[call.line : function.end])
    word = rf"(?<![\w.]){re.escape(name)}\b(?!\s*[.(=]\w*)"
    if re.search(
        rf"\b{re.escape(name)}(?:\.astimezone|\.replace\(\s*tzinfo)|(?:localize|make_aware)\(\s*{word}", body
    ):
        return None
    is_stopwatch = _is_stopwatch(function, text)
    stored = re.search(rf"(?:[\w\])]\.(\w+)|\])[ \t]*=[ \t]*{word}(?!\s*-)", body) or re.search(
        rf"[(,\s](\w*(?:_at|_on|At|date|Date|timestamp|created|modified|updated|expires?)\w*)['\"]?(?:=|:\s*){word}",
        body,
    )
    place = stored.group(1) or "" if stored is not None else ""
    is_record = not _STOPWATCH.search(place) and (not is_stopwatch or _RECORD_FIELD.search(place))
    if stored is not None and is_record:
        return Use("stored", Severity.MEDIUM)
    if is_stopwatch:
        return None
    others = re.findall(
        rf"{word}\s*(?:-(?!>|\s*(?:\w+\.)?(?:timedelta|relativedelta)\()|[<>]=?)\s*([\w.]*)|([\w.]*)\s*(?:-|[<>]=?)\s*{word}",
        body,
    )
    compared = [after or before for after, before in others if name not in (after, before)]
    calendar = re.search(rf"\b{re.escape(name)}\.replace\(", body) or _IN_DAYS.search(
        text[call.line - 1] + body
    )
    if compared and not calendar and not any(map(_STOPWATCH.search, compared)):
        return _COMPARED
    return None


def _report(file: File, call: Call, name: str, use: Use, symbol: str) -> Finding:
    explained = use.severity is Severity.MEDIUM and states_reason(file, call.line)
    short = ".".join(name.split(".")[-2:])
    is_utc = "utc" in name
    return Finding(
        Place(file.path, call.line, call.line, symbol),
        Severity.LOW if explained else use.severity,
        f"`{short}` returns a time without a zone, which is then {use.how}.",
        signals=(
            Signal("naive_time", Category.GRAPH, 85, f"its import leads to `{name}`"),
            Signal("naive_time", Category.SYNTAX, 75, f"no zone is given, and the result is {use.how}"),
        ),
        evidence={"clock": Measure(name), "use": Measure(use.how)},
        notes=("a comment states the reason: lowered one step",) if explained else (),
        why="Nothing in the value says that it is UTC, so code that takes it for local time is off by the zone."
        if is_utc
        else "",
        fix="Use `datetime.now(timezone.utc)`." if is_utc else "",
    )


DETECTOR = Detector(
    id="naive_time",
    title="Time without a zone",
    category="correctness",
    doc=__doc__,
    languages=("python", "java", "kotlin", "scala"),
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    detect=detect,
    default=False,
    needs=(SYMBOLS,),
    examples=(
        Example(
            "a time that is stored, in Python",
            {
                "orders.py": "from datetime import datetime\n\n\ndef close(order):\n    order.closed_at = datetime.now()\n    order.save()\n"
            },
            ("orders.py:5",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a time that is passed on as a date of record, and one that is compared",
            {
                "orders.py": "import datetime as dt\n\n\ndef make(name):\n    now = dt.datetime.utcnow()\n    return Order(name=name, created_at=now)\n\n\n"
                "def is_late(order):\n    return dt.datetime.now() > order.due\n"
            },
            ("orders.py:5", "orders.py:10"),
        ),
        Example(
            "a UTC time turned into a number as if it were local",
            {
                "clock.py": "from datetime import datetime\n\n\ndef seconds():\n    return datetime.utcnow().timestamp()\n"
            },
            ("clock.py:5",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a time that is stored, in Java",
            {
                "src/main/java/shop/Order.java": "package shop;\n\nimport java.time.LocalDateTime;\n\nclass Order {\n  LocalDateTime closedAt;\n\n"
                "  void close() {\n    this.closedAt = LocalDateTime.now();\n  }\n}\n"
            },
            ("src/main/java/shop/Order.java:9",),
        ),
        Example(
            "lower when a comment states the reason",
            {
                "orders.py": "from datetime import datetime\n\n\ndef close(order):\n    # The till has no zone: shops count by their own clock.\n"
                "    order.closed_at = datetime.now()\n"
            },
            ("orders.py:6",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on times in UTC that are compared, on a text, and on made-up records",
            {
                "shop/token.py": "from datetime import datetime, timedelta\n\n\ndef expired(token):\n    return token.until < datetime.utcnow()\n\n\n"
                "def name():\n    return 'x-{date:%Y}.tar'.format(date=datetime.now())\n\n\n"
                "def add_test_data(order):\n    order.paid_at = datetime.now()\n",
            },
        ),
        Example(
            "silent where a linter's rule about such times is turned off",
            {
                "shop/poll.py": "from datetime import datetime\n\n\nclass Poll:\n    def touch(self):\n"
                "        self.seen = datetime.now()  # noqa: DTZ005\n\n    def mark(self):\n"
                "        self.marked = datetime.now()  # pylint: disable=enforce-naive-now\n",
            },
        ),
        Example(
            "silent when a zone is given, or added at once",
            {
                "orders.py": "from datetime import datetime, timezone\n\n\ndef close(order):\n    order.closed_at = datetime.now(timezone.utc)\n"
                "    order.seen_at = datetime.now().astimezone()\n"
            },
        ),
        Example(
            "silent when it is only shown",
            {
                "names.py": "from datetime import datetime\n\n\ndef name():\n    now = datetime.now()\n    print(f'{now}')\n    return datetime.now().strftime('%Y-%m-%d')\n"
            },
        ),
        Example(
            "silent when it measures how long something took",
            {
                "work.py": "from datetime import datetime\n\n\ndef work(job):\n    start = datetime.now()\n    job()\n    return datetime.now() - start\n\n\n"
                "class Watch:\n    def begin(self):\n        self.start_time = datetime.now()\n\n    def end(self):\n        return datetime.now() - self.start_time\n"
            },
        ),
        Example(
            "silent on a clock of the repository",
            {
                "datetime.py": "class datetime:\n    @staticmethod\n    def now():\n        return 0\n",
                "orders.py": "from datetime import datetime\n\n\ndef close(order):\n    order.closed_at = datetime.now()\n",
            },
        ),
        Example(
            "silent in a test",
            {
                "tests/test_orders.py": "from datetime import datetime\n\n\ndef test_close(order):\n    order.closed_at = datetime.now()\n    assert order.is_late\n"
            },
        ),
    ),
)
