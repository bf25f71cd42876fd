"""The current time is taken without a time zone, and then stored, compared or subtracted.

It looks at calls that an import leads to a clock whose answer has no zone: `datetime.now()`, `datetime.utcnow()`,
`LocalDateTime.now()`; and at what is done with the answer.

## Why it matters

The value means another moment on a machine with another zone, is off by an hour twice a year, and cannot be compared with one
that has a zone. Nothing in the value says so, and tests that run in one zone never see it.

## What to do

Take the time with a zone: `datetime.now(timezone.utc)`, `Instant.now()`, or the framework's own clock. Measure a duration with a
monotonic clock.

## What it accepts

- Times that are only shown, logged, or put into a name (`strftime`, `isoformat`, a part such as `.year`).
- Times that get a zone at once (`.astimezone()`, `.replace(tzinfo=...)`), or become a number (`.timestamp()`; of `utcnow()` that is wrong).
- How long something took: two clocks read in one function, or names such as `start_time`.
- Times in UTC (`utcnow()`) that are only compared: with others in UTC that is right.
- What is made up for a test or a first start (`add_test_data`, `seed_…`).
- Comparisons in whole days, and with the hour of a day (`now.replace(hour=2)`): there the wall clock is meant.
- A comment on the spot that states the reason lowers the severity; one that turns off a linter's rule about such times (`noqa: DTZ005`,
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
_LAST = regex(r"(?:^|\.)(?:now|today|utcnow)$")
# Code that one person runs, on one machine.
_OF_A_TOOL = regex(r"(?:^|/)(?:cli|scripts?|bin|tools?|dev|release|hacking|tests?|examples?|benchmarks?)/")
# Where whole days count, an hour more or less does not.
_IN_DAYS = regex(r"\.days\b|(?:days|weeks|months|years)\s*=")
_LOCAL = regex(r"\b(?:now|today|fromtimestamp)\s*\(")
_IN_UTC = regex(r"\b(?:utcnow|utcfromtimestamp)\s*\(")
# What a stopwatch is called: it is held against the same clock, in the same process.
_STOPWATCH = regex(
    r"start|began|begin|(?:^|_)end(?:_|$)|end_?time|prev|tick|elapsed|(?:^|_)last_(?!updated|modified|seen|login|changed)|"
    r"(?:request|response|call|chunk|api)\w*time",
    re.IGNORECASE,
)
_WRONG_AS_NUMBER = regex(r"\.(?:timestamp\(|toEpochSecond\()")
_ZONED = regex(r"\.(?:astimezone|replace\(\s*tzinfo|atZone|atOffset)")
_BEHIND = regex(r"\s*(?:-(?!>)|[<>]=?|==|!=)\s*([\w.\[\]'\"]*)")
_SHIFTED = regex(r"\s*[-+]\s*(?:\w+\.)?(?:timedelta|relativedelta)\(")
_BEFORE = regex(r"([\w.\[\]'\"]*)\s*(?:-|[<>]=?|==|!=)\s*$")
_STORED = regex(r"(?:[\w\])]\.(\w+)|\])\s*=\s*$")
_AS_FIELD = regex(
    r"(?:[(,{]\s*['\"]?|^\s*['\"]?(?=\w+(?:=\S|=$|['\"]\s*:)))"
    r"(\w*(?:_at|_on|At|On|date|Date|time|Time|timestamp|created|modified|updated|expires?|seen)\w*)['\"]?\s*[=:]\s*$"
)
_NAMED = regex(r"(?:^|\s)(?:(?:final\s+)?(?:var|val|LocalDateTime)\s+)?([a-z_]\w*)\s*(?::[^=]+)?=\s*$")
_OF_RECORD = regex(r"_at$|_on$|At$|updated|created|modified|expir|date$|seen$", re.IGNORECASE)
_LONGEST = 400  # characters of a call and what is done with it


class Use(Struct, frozen=True):
    """What is done with a time: `how`, as the message says it."""

    how: str
    severity: Severity


_COMPARED = Use("compared or subtracted", Severity.LOW)
_MADE_UP = regex(r"test_?data|(?:^|[._])(?:seed|fake)", re.IGNORECASE)
_FORMATTED = regex(r"\.format\([^)]*$")
_WAIVED = regex(r"(?:#|//).*(?:noqa:.*\bDTZ\d|disable=\S*naive)")


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    symbols = scan[SYMBOLS]
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE or _OF_A_TOOL.search(file.path):
            continue
        calls = [
            (call, name)
            for call in file.facts.calls
            if _LAST.search(call.target)
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
            use = _use(call, name, function, text)
            if use == _COMPARED and "utc" in name:
                continue  # two times in UTC compare as they should, and no machine has another
            if use is not None and not _MADE_UP.search(symbol) and not _WAIVED.search(text[call.line - 1]):
                seen.add(symbol)
                yield _report(file, call, name, use, symbol)


def _use(call: Call, name: str, function: Function | None, text: list[str]) -> Use | None:
    """What is done with the answer, None when its missing zone does not matter."""
    line = text[call.line - 1]
    last = call.target.rpartition(".")[2]
    found = re.search(rf"[\w.]*\b{last}\s*\(", line)
    if found is None:
        return None
    rest = "\n".join([line[found.end() :], *text[call.line : call.line + 6]])[:_LONGEST]
    end = _closing(rest)
    arguments, behind = rest[:end], rest[end + 1 :]
    if arguments.strip() or _ZONED.match(behind):
        return None
    before = line[: found.start()]
    if call.line > 1 and not before.strip():
        before = text[call.line - 2]
    if _WRONG_AS_NUMBER.match(behind) and "utc" in name:
        return Use("turned into a number as if it were local time", Severity.MEDIUM)
    shifted = _SHIFTED.match(behind) is not None
    if behind.startswith(".") or _FORMATTED.search(before):
        return None
    measures = function is not None and _measures(function, text)
    stored = _STORED.search(before) or _AS_FIELD.search(before)
    if stored is not None:
        place = stored.group(1) or ""
        if _STOPWATCH.search(place) or (measures and not _OF_RECORD.search(place)):
            return None
        return Use("stored", Severity.MEDIUM)
    if shifted and _IN_DAYS.search(rest):
        return None
    named = _NAMED.search(before)
    if named is not None and function is not None:
        return _use_of_name(named.group(1), call, function, text)
    other = (None if shifted else _BEHIND.match(behind)) or _BEFORE.search(before)
    if other is None or measures or _STOPWATCH.search(other.group(1)) or _IN_DAYS.search(line):
        return None
    return _COMPARED


def _closing(rest: str) -> int:
    """Where the bracket closes that was open before."""
    depth = 1
    for at, char in enumerate(rest):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return at
    return len(rest)


def _measures(function: Function, text: list[str]) -> bool:
    """Whether one clock is read more than once here: the difference is how long something took."""
    body = "\n".join(text[function.start - 1 : function.end])
    local, utc = len(_LOCAL.findall(body)), len(_IN_UTC.findall(body))
    return (local > 1 and not utc) or (utc > 1 and not local)


def _use_of_name(name: str, call: Call, function: Function, text: list[str]) -> Use | None:
    """What the function does with the local name a time was given."""
    body = "\n".join(text[call.line : function.end])
    word = rf"(?<![\w.]){re.escape(name)}\b(?!\s*[.(=]\w*)"
    if re.search(
        rf"\b{re.escape(name)}(?:\.astimezone|\.replace\(\s*tzinfo)|(?:localize|make_aware)\(\s*{word}", body
    ):
        return None
    measures = _measures(function, text)
    stored = re.search(rf"(?:[\w\])]\.(\w+)|\])[ \t]*=[ \t]*{word}(?!\s*-)", body) or re.search(
        rf"[(,\s](\w*(?:_at|_on|At|date|Date|timestamp|created|modified|updated|expires?)\w*)['\"]?(?:=|:\s*){word}",
        body,
    )
    place = stored.group(1) or "" if stored is not None else ""
    if stored is not None and not _STOPWATCH.search(place) and (not measures or _OF_RECORD.search(place)):
        return Use("stored", Severity.MEDIUM)
    if measures:
        return None
    others = re.findall(
        rf"{word}\s*(?:-(?!>|\s*(?:\w+\.)?(?:timedelta|relativedelta)\()|[<>]=?)\s*([\w.]*)|([\w.]*)\s*(?:-|[<>]=?)\s*{word}",
        body,
    )
    held = [behind or before for behind, before in others if name not in (behind, before)]
    calendar = re.search(rf"\b{re.escape(name)}\.replace\(", body) or _IN_DAYS.search(
        text[call.line - 1] + body
    )
    if held and not calendar and not any(map(_STOPWATCH.search, held)):
        return _COMPARED
    return None


def _report(file: File, call: Call, name: str, use: Use, symbol: str) -> Finding:
    explained = use.severity is Severity.MEDIUM and states_reason(file, call.line)
    short = ".".join(name.split(".")[-2:])
    why = (
        "Nothing in it says that it is UTC: whoever takes it for local time is off by the zone, and it"
        if "utc" in name
        else "It means another moment on a machine with another zone, and"
    )
    return Finding(
        Place(file.path, call.line, call.line, symbol),
        Severity.LOW if explained else use.severity,
        f"`{short}` gives a time without a zone, and it is {use.how}. {why} does not compare with times "
        "that have one. Take the time with a zone.",
        signals=(
            Signal("naive_time", Category.GRAPH, 85, f"its import leads to `{name}`"),
            Signal("naive_time", Category.SYNTAX, 75, f"no zone is given, and the answer is {use.how}"),
        ),
        evidence={"clock": Measure(name), "use": Measure(use.how)},
        notes=("A comment states the reason: severity lowered one step.",) if explained else (),
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
            "a time that is handed on as a date of record, and one that is compared",
            {
                "orders.py": "import datetime as dt\n\n\ndef make(name):\n    now = dt.datetime.utcnow()\n    return Order(name=name, created_at=now)\n\n\n"
                "def is_late(order):\n    return dt.datetime.now() > order.due\n"
            },
            ("orders.py:5", "orders.py:10"),
        ),
        Example(
            "a number made of a time in UTC as if it were local",
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
