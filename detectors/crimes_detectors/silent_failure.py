"""A failure is handled so that the program goes on as if nothing had happened.

It reports four kinds: an interruption that a loop swallows; a failed call that is only logged although the next lines use its result;
an error branch that returns success; and a handler for every error around a write, charge, deletion or commit that drops the error.

It is off by default: of 28 findings read, 24 were worth knowing, but the rules were made on the same repositories. Turn it on for
services that store, pay or run in the background, where a failure that nobody sees costs most.

## Why it matters

The caller believes that the work was done, so the failure surfaces later, elsewhere, as missing or wrong data.

## What to do

Raise or return the error, or leave before its missing result is used. Let interruptions through, and restore the flag if you must catch them.

## Before

```python
def total(client, order):
    try:
        rates = client.rates(order.currency)
    except ConnectionError as error:
        log.warning("no rates: %s", error)
    return order.price * rates.factor
```

## After

```python
def total(client, order):
    try:
        rates = client.rates(order.currency)
    except ConnectionError as error:
        log.warning("no rates: %s", error)
        raise
    return order.price * rates.factor
```

## What it does not report

- A comment in or above the handler that states a reason (three words or more), or documentation that mentions failure.
- Narrow types around a write: the author knows what may fail.
- Cleanup: closing, removing temporary files, killing; and handlers in `close`, `__del__`, `__exit__` and teardown functions.
- Optional imports, caches, telemetry, logs and notifications that must not stop the program.
- Questions, where failure is the answer: `is_valid`, `exists`, `try_save`, `supports`.
- A handler inside another one, a retry whose last attempt raises, and a handler that decides, counts or raises.
- A task that is cancelled and then awaited, and a loop that an interruption ends.
- A result that has a default, or is checked before its use.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from crimes.api import (
    ANY,
    SYMBOLS,
    Category,
    Comment,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    Finding,
    Function,
    Handler,
    Measure,
    NoOptions,
    Pass,
    Place,
    Role,
    Severity,
    Signal,
    Symbols,
    regex,
)

_BROAD = frozenset(
    {"Exception", "BaseException", "NonFatal", "RuntimeException", "StandardError", "Throwable", "exception"}
)
_INTERRUPTIONS = frozenset(
    {"BaseException", "KeyboardInterrupt", "InterruptedException", "CancellationException", "CancelledError"}
)
_DROPS = frozenset({"pass", "continue", "break", "return"})
_LOGS = frozenset({"call", "uses_error"})
_CHOOSES = frozenset({"assign", "decide", "raise", "continue", "break"})
_LEAVES = frozenset({"raise", "return", "return_empty", "return_value", "break", "decide", "assign"})
_IGNORED_NAME = regex(r"_*(?:ignor|unused|expected|swallow)", re.IGNORECASE)
# Calls whose loss a caller has to know of. `save` and `update` alone say little, so a receiver is required.
_WRITING_CALL = regex(
    r"(?:^|[._])(?:commit|charge|refund|withdraw|executemany|execute_?update|bulk_(?:create|update|insert)|"
    r"(?:insert|update|delete|replace)_?(?:one|many|all)|write_?(?:text|bytes|file|all|all_?(?:text|bytes|lines))|put_?object)(?:Sync|Async)?$"
    r"|.\.(?:save|insert|insert_all|persist|delete|upsert|publish|transfer|pay|saveAll|deleteAll|"
    r"save_?changes|write)(?:Async|_async)?!?$",
    re.IGNORECASE,
)
# Receivers whose loss is a slower program or a missing line, not missing data.
_EXPENDABLE = regex(
    r"cache|telemetry|analytics|posthog|sentry|metric|stats|log(?:ger|s)?\b|console|std(?:out|err)|trace|span|debug|notif|toast|cookie|"
    r"localstorage|sessionstorage|\bmap\b|\bset\b|history|preload|prefetch|temp|tmp|lock|socket|stream|response|\bres\b|writer|buffer|conn|"
    r"crypto|hash|digest|hmac|object|reflect|element|event|observer|timer",
    re.IGNORECASE,
)
_EXPENDABLE_PATH = regex(
    r"(?:^|[/_.-])(?:cache|telemetry|analytics|metrics|tracing|logging|debug)", re.IGNORECASE
)
_CLEANUP_CALL = regex(
    r"(?:^|[._])(?:a?close|clean_?up|unlink|rmtree|rmdir|remove\w*|kill\w*|terminate|disconnect|cancel|shutdown|flush|dispose|"
    r"release|quit|stop|rollback|abort|unregister|reset|clear|unlock|mkdirp?|makedirs)(?:Sync|Async)?$",
    re.IGNORECASE,
)
_CLEANUP_FUNCTION = regex(
    r"^(?:__del__|__exit__|__aexit__|__repr__|__str__|finalize|tear_?down\w*|.*(?:close|clean_?up|shutdown|dispose|destroy|"
    r"unmount|disconnect|terminate|rollback|telemetry|analytics|track|metric|cache|notify)\w*)$",
    re.IGNORECASE,
)
_QUESTION_NAME = regex(
    r"^_*(?:is|has|can|should|supports?|exists?|looks|try|maybe|attempt|check|probe|detect|verify|validate|test|ping|poll|retry|"
    r"needs|matches|safe|best_?effort)(?:_|[A-Z]|$)|(?:_|[a-z](?=[A-Z]))(?:safe(?:ly)?|quietly|silently|if_?possible|IfPossible|Safe(?:ly)?|Quietly|Silently)$"
)
_OPTIONAL_CALL = regex(
    r"(?:^|\.)(?:(?:import|require)(?:_|[A-Z(]|$)|CDLL$|dlopen$|loadLibrary$|forName$|loadClass$)"
)
_LOGGING_CALL = regex(
    r"(?:^|[._])_?(?:s?log(?:s|ger|ging|_?util\w{0,40})?|console|std(?:err|out)|out|err|fmt)\.\w+$|(?:^|\.)(?:e?print(?:ln|f|_r|_?stack_?trace|_exc)?|puts|warn|"
    r"error_log|format\w{0,40}|sprintf|str|repr|get_?message|to_?string|capture_?(?:exception|error)|what|name|type)!?$",
    re.IGNORECASE,
)
_LOGGING_LINE = regex(
    r"\s*(?:[\w$]+(?:\.|->|::))*(?:log\w*|warn\w*|error\w*|info\w*|debug\w*|print\w*|exception|puts|capture\w*)!?\s*\(",
    re.IGNORECASE,
)
# Calls whose failure is an answer: it is not there, or not of this form.
_PROBING_CALL = regex(
    r"(?:^|[._])(?:l?stat|look_?(?:path|up)\w*|exists?|parse\w*|atoi|unmarshal|decode\w*|from_?str\w*|abs|rel|"
    r"eval_?symlinks|read_?link|split\w*|String|Dir|Join|Clean|Base)$",
    re.IGNORECASE,
)
_ERROR_RESULT = regex(r"(?:^|[\s(,])error\)?$|^(?:\w+::)*Result\b")
_SUCCESS = regex(
    r"\breturn\s+(?:Ok\(\(\)\)|(?:new\s+)?(?:\w+\.)*(?:ResponseEntity\.ok|HttpResponse|Response|JsonResponse|JSONResponse|ok|Ok)\(\s*\)\s*;?$)"
    r"|\bstatus(?:_?code)?\s*[:=(]\s*200\b|StatusOK\b|HttpStatus\.OK\b|HTTP_200_OK\b|[\"']?\bsuccess(?:ful)?[\"']?\s*(?:[:=]|=>)\s*[Tt]rue\b"
    r"|=>\s*Ok\(\(\)\)"
)
# Words of a log message that state why the program goes on, and calls that end it.
_STATED_IN_LOG = regex(
    r"skip|ignor|fall(?:ing)? ?back|default|unsupported|not support|too old|best.?effort|optional|continu",
    re.I,
)
_ENDS_PROGRAM = regex(r"fatal|panic|exit|abort|\bdie\b|fail\w{0,60}\(|bail|process\.kill|skip", re.I)
_TOOL_MARKER = regex(
    r"noqa|pragma|type:\s*ignore|pylint|eslint|prettier|@ts-|todo|fixme|xxx|nosec|mypy|pyright|biome|istanbul|c8 ignore",
    re.I,
)
_FAILURE_WORDS = regex(
    r"fail|error|exception|throw|crash|\bavoid|suppress|\brais(?:e|es|ed|ing)\b|ignor|invalid|best.?effort|harmless|tolerat|swallow|silent|"
    r"fall(?:s|ing)? ?(?:back|through)|unsupported|not (?:be )?(?:support|exist|available|allowed)|can't|"
    r"(?:can|could|may|might|do|does|did|is|was|wo)(?:n'?t| ?not)\b|if possible|ok(?:ay)? (?:if|to)|missing|optional",
    re.IGNORECASE,
)
_LOOP = regex(r"\s*(?:\}\s*)?(?:async\s+)?(?:for|while|loop|do|until|repeat|foreach)\b")
_ASSIGNED = regex(
    r"^\s*+(?P<names>\$?[A-Za-z_]\w*+(?:\s*+,\s*+\$?[A-Za-z_]\w*+)*+)\s*+(?::\s*+[\w.\[\], |]++)?:?=(?![=>~])"
)
_EMPTY_BEFORE = r"\b{name}\b\s*+(?::[^=]{{0,200}}+)?(?:=\s*+(?:None|null|nil|undefined|nullptr)\b|;|$)"
_RETURN = regex(r"\breturn\b")
_CHECK = regex(
    r"\b(?:if|elif|unless|while|guard|assert|and|or|when|switch|match|is|require\w*|catch|except)\b|\?|&&|\|\||[!=]=|!\w"
)
_MAX_LINES_TO_USE = 10
_MAX_LINES_BEFORE_TASK = 12
_MIN_REASON_WORDS = 3


class _Case(Struct, frozen=True):
    """A handler with the text of its file, its function, and the calls it guards."""

    file: File
    handler: Handler
    function: Function | None
    lines: list[str]
    calls: tuple[str, ...]
    handler_calls: tuple[str, ...]
    waits: bool  # for one of the guarded calls

    @property
    def name(self) -> str:
        return self.function.name if self.function else ""

    @property
    def place(self) -> Place:
        symbol = self.function.qualname if self.function else ""
        return Place(self.file.path, self.handler.start, self.handler.end, symbol)

    def text(self, start: int, end: int) -> list[str]:
        """Lines of the file from `start` to `end`, both included."""
        return self.lines[max(start - 1, 0) : end]

    @property
    def writes(self) -> tuple[str, ...]:
        """Calls under guard that change something outside the program."""
        return tuple(
            dict.fromkeys(
                call for call in self.calls if _WRITING_CALL.search(call) and not _EXPENDABLE.search(call)
            )
        )


class _Failure(Struct, frozen=True):
    """What is wrong with a handler: the kind, and the sentence that says so."""

    kind: str
    fact: str
    certainty: int
    fix: str = ""
    loses_work: bool = False


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding | Excused]:
    symbols = scan[SYMBOLS]
    for file in scan.files(Role.SOURCE):
        handlers = [handler for handler in file.facts.handlers if _may_be_silent(file, handler)]
        if not handlers:
            continue
        lines = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
        seen: Counter[tuple[str, str]] = Counter()
        for handler in handlers:
            case = _case(file, handler, lines)
            failure = _failure(case, symbols)
            if failure is None:
                continue
            if _is_explained(case):
                yield Excused(case.place, "a comment or the documentation says why the program goes on")
                continue
            finding = _report(case, failure)
            seen[finding.place.symbol, finding.discriminator] += 1
            number = seen[finding.place.symbol, finding.discriminator]
            yield replace(finding, discriminator=f"{finding.discriminator}|{number}")


def _may_be_silent(file: File, handler: Handler) -> bool:
    function = file.facts.functions[handler.function] if handler.function >= 0 else None
    if "raise" in handler.does or handler.has_else or (function is not None and function.in_test):
        return False
    return not any(other.start < handler.start and handler.end <= other.end for other in file.facts.handlers)


def _case(file: File, handler: Handler, lines: list[str]) -> _Case:
    function = file.facts.functions[handler.function] if handler.function >= 0 else None
    guarded, inside, waits = [], [], False
    for call in file.facts.calls:
        if handler.body_start <= call.line <= handler.body_end and not call.dotted.endswith(".catch"):
            guarded.append(call.dotted)
            waits = waits or call.awaited
        elif handler.start <= call.line <= handler.end:
            inside.append(call.dotted)
    return _Case(file, handler, function, lines, tuple(guarded), tuple(inside), waits)


def _failure(case: _Case, symbols: Symbols) -> _Failure | None:
    handler = case.handler
    if handler.does == ("discard",):
        return _discarded_write(case, symbols)
    if _CLEANUP_FUNCTION.match(case.name) or _is_optional(case) or _EXPENDABLE_PATH.search(case.file.path):
        return None
    return (
        _swallowed_interruption(case)
        or _result_used_after_failure(case, symbols)
        or _claimed_success(case)
        or _dropped_write(case)
    )


def _is_optional(case: _Case) -> bool:
    handler = case.handler
    imports = case.file.facts.imports
    return any(handler.body_start <= item.line <= handler.body_end for item in imports) or any(
        map(_OPTIONAL_CALL.search, case.calls)
    )


def _is_broad(handler: Handler) -> bool:
    return not handler.caught or any(_last(caught) in _BROAD for caught in handler.caught)


def _last(name: str) -> str:
    return re.split(r"\.|::|\\", name)[-1]


# Interruptions


def _swallowed_interruption(case: _Case) -> _Failure | None:
    handler = case.handler
    caught = next((name for name in handler.caught if _last(name) in _INTERRUPTIONS), "")
    if not caught or _LEAVES.intersection(handler.does) or not case.calls:
        return None
    body = "\n".join(case.text(handler.start, handler.end))
    if re.search(
        r"interrupt(?:ed)?\(|cancel|exit|stop|shutdown|abort|set_exception|completeExceptionally", body
    ):
        return None
    if any(map(_CLEANUP_CALL.search, case.calls)):
        return None
    before = case.text(max(handler.body_start - _MAX_LINES_BEFORE_TASK, 1), handler.body_end)
    if any(re.search(r"\.cancel\(|\.join\(", line) for line in before):
        return None
    is_base = _last(caught) == "BaseException" and _DROPS.issuperset(handler.does) and case.waits
    if not (is_base or _in_loop(case)):
        return None
    goes_on = "and goes on" if is_base and not _in_loop(case) else "and the loop goes on"
    return _Failure(
        "interruption",
        f"A handler swallows `{caught}` around `{case.calls[0]}` {goes_on}, so the request to stop is lost.",
        85,
        fix="Raise it again, leave the loop, or restore the interrupted state.",
    )


def _in_loop(case: _Case) -> bool:
    """Whether the guarded block stands in a loop of the same function, by its indentation."""
    handler = case.handler
    indent = _indent(case.lines[handler.start - 1])
    first = case.function.start if case.function else 1
    for line in reversed(case.text(first, handler.body_start - 1)):
        if line.strip() and _indent(line) < indent:
            if _LOOP.match(line):
                return True
            indent = _indent(line)
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


# Results that are missing


def _result_used_after_failure(case: _Case, symbols: Symbols) -> _Failure | None:
    handler = case.handler
    if not _LOGS.issuperset(handler.does) or "call" not in handler.does or case.function is None:
        return None
    if not case.calls or not all(_only_logs(case, call, symbols) for call in case.handler_calls):
        return None
    if any(map(_ENDS_PROGRAM.search, case.text(handler.start, handler.end))) or _has_else(case):
        return None
    names = _assigned_names(case)
    if not names:
        return None
    following = case.text(handler.end + 1, min(case.function.end, handler.end + _MAX_LINES_TO_USE))
    own_indent = _indent(case.lines[handler.start - 1])
    for offset, line in enumerate(following, handler.end + 1):
        if line.strip(" \t})];") and _indent(line) < own_indent:
            return None  # the block ends, and another path may lead here
        used = [name for name in names if re.search(rf"(?<![\w.$]){re.escape(name)}\b", line)]
        if not used:
            continue
        if _CHECK.search(line) or _ASSIGNED.match(line):
            return None
        name = next((name for name in used if _dereferences(line, name, checked=_is_checked(case))), "")
        if not name:
            return None
        return _Failure(
            "missing_result",
            f"A failure of `{case.calls[0]}` is only logged, and line {offset} uses `{name}`, which it did not set.",
            85,
        )
    return None


def _only_logs(case: _Case, call: str, symbols: Symbols) -> bool:
    """Whether a call logs and comes back: a function of this repository may raise or end the program."""
    known = symbols.resolve(case.file.path, call, case.handler.function)
    return known is None and _LOGGING_CALL.search(call) is not None


def _has_else(case: _Case) -> bool:
    """Whether the code after a checked error is the branch for success."""
    return any(re.search(r"\belse\b", line) for line in case.text(case.handler.end, case.handler.end + 1))


def _assigned_names(case: _Case) -> list[str]:
    """Names that only the guarded block gives a value."""
    handler, function = case.handler, case.function
    if function is None:
        return []
    names: list[str] = []
    indent = min(
        (_indent(line) for line in case.text(handler.body_start, handler.body_end) if line.strip()), default=0
    )
    for line in case.text(handler.body_start, handler.body_end):
        match = _ASSIGNED.match(line.removeprefix("if ")) if _indent(line) <= indent + 4 else None
        if match:
            names += (name.strip() for name in match["names"].split(","))
    params = {param.name for param in function.params}
    before = case.text(function.start, handler.body_start - 1)
    return [
        name
        for name in dict.fromkeys(names)
        if name not in ("_", handler.error_name) and name not in params and _is_unset(name, before)
    ]


def _is_unset(name: str, before: list[str]) -> bool:
    """Whether a name has no value before the guarded block, or an empty one."""
    word = re.escape(name)
    last = next((line for line in reversed(before) if re.search(rf"(?<![\w.$]){word}\b", line)), None)
    return last is None or re.search(_EMPTY_BEFORE.format(name=word), last.strip()) is not None


def _is_checked(case: _Case) -> bool:
    """Whether the error is a value that a branch checks: the other results are then zero, not unset."""
    return any(":=" in line for line in case.text(case.handler.body_start, case.handler.body_end))


def _dereferences(line: str, name: str, *, checked: bool) -> bool:
    """Whether a line needs the value of a name: its members, or, unless zero values have them, its items."""
    word = rf"(?<![\w.$]){re.escape(name)}"
    items = rf"|{word}\[|\b(?:in|of)\s+{re.escape(name)}\b|\blen\({re.escape(name)}\)"
    return re.search(rf"{word}(?:\.|->)\w{'' if checked else items}", line) is not None


# Success that is none


def _claimed_success(case: _Case) -> _Failure | None:
    handler, function = case.handler, case.function
    if function is None or function.is_anonymous or not _is_broad(handler) or not case.calls:
        return None
    if _CHOOSES.intersection(handler.does):
        return None
    body = case.text(handler.start, handler.end)
    if any(_STATED_IN_LOG.search(line) or _ENDS_PROGRAM.search(line) for line in body):
        return None
    said = _said_success(case, body)
    if not said and not _returns_no_error(case, function, body):
        return None
    fact = (
        f"answers with success (`{said}`)" if said else "returns no error, so its caller takes it for success"
    )
    return _Failure(
        "claimed_success",
        f"When `{case.calls[0]}` fails, `{function.name}` {fact}.",
        80,
        fix="Return the error, or a result that the caller can tell from success.",
        loses_work=bool(case.writes),
    )


def _said_success(case: _Case, body: list[str]) -> str:
    """The words in a handler that claim success; empty if it also speaks of the error, other than to log it."""
    name = case.handler.error_name
    if _QUESTION_NAME.search(case.name[:1].lower() + case.name[1:]):
        return ""
    spoken = [line for line in body[1:] if not _LOGGING_LINE.match(line)]
    if any(
        re.search(rf"\b(?:[Ff]alse|error\w*|fail\w*|{re.escape(name or 'error')})\b", line) for line in spoken
    ):
        return ""
    match = next((match for line in body if (match := _SUCCESS.search(line))), None)
    return " ".join(match[0].split()) if match else ""


def _returns_no_error(case: _Case, function: Function, body: list[str]) -> bool:
    """Whether a function that can return an error returns none on this path."""
    name = case.handler.error_name
    if "return_empty" not in case.handler.does or not _ERROR_RESULT.search(function.result):
        return False
    word = rf"\b{re.escape(name)}\b"
    if name and any(re.search(word, line[match.end() :]) for line in body if (match := _RETURN.search(line))):
        return False
    return not (all(map(_PROBING_CALL.search, case.calls)) or "||" in body[0])


# Lost writes


def _dropped_write(case: _Case) -> _Failure | None:
    handler = case.handler
    if not _is_broad(handler) or not _DROPS.issuperset(handler.does) or not case.writes:
        return None
    name = case.name[:1].lower() + case.name[1:]
    if _QUESTION_NAME.search(name) or (len(case.calls) <= 3 and any(map(_CLEANUP_CALL.search, case.calls))):
        return None
    types = f"`{'`, `'.join(handler.caught)}`" if handler.caught else "every error"
    return _Failure(
        "dropped_write",
        f"A handler catches {types} around `{case.writes[0]}` and drops it: a failed write goes unnoticed.",
        85,
        loses_work=True,
    )


def _discarded_write(case: _Case, symbols: Symbols) -> _Failure | None:
    """The discarded error of a function of this repository that writes, by its name."""
    handler = case.handler
    target = handler.caught[0] if handler.caught else ""
    if (
        not _WRITING_CALL.search(f"self.{target}")
        or _EXPENDABLE.search(target)
        or _CLEANUP_FUNCTION.match(case.name)
    ):
        return None
    symbol = symbols.resolve(case.file.path, target, handler.function)
    called = symbols.fact_of(symbol) if symbol is not None else None
    if not isinstance(called, Function):
        return None
    if not (_ERROR_RESULT.search(called.result) or called.result.startswith("throws")):
        return None
    return _Failure(
        "discarded_write",
        f"The error of `{target}` is discarded: a failed write goes unnoticed.",
        80,
        fix="Check the error and return or log it, or state in a comment why it may be ignored.",
    )


# Reasons


def _word_count(comment: Comment) -> int:
    """The number of words in a comment; 0 if it is a marker for another tool."""
    return 0 if _TOOL_MARKER.search(comment.text) else len(re.findall(r"[A-Za-z']{2,}", comment.text))


def _is_explained(case: _Case) -> bool:
    """Whether a comment in the handler states a reason, or one around it or the documentation speaks of failure."""
    handler, function = case.handler, case.function
    comments = case.file.facts.comments  # in the order of their lines
    start = function.start if function else handler.body_start
    first = bisect_left(comments, min(start, handler.body_start) - 30, key=lambda comment: comment.line)
    last = bisect_right(comments, handler.end + 1, key=lambda comment: comment.line)
    for comment in comments[first:last]:
        if _word_count(comment) < _MIN_REASON_WORDS:
            continue
        if comment.line >= handler.start - 1 and (comment.own_line or comment.line >= handler.start):
            return True
        near = handler.body_start - 4 <= comment.end and comment.line <= handler.body_start + 2
        documents = function is not None and (
            (comment.doc and start <= comment.line) or comment.end in (start - 1, start - 2)
        )
        if (near or documents) and comment.own_line and _FAILURE_WORDS.search(comment.text):
            return True
    return False


def _report(case: _Case, failure: _Failure) -> Finding:
    handler = case.handler
    noted = handler.does == ("discard",) or _IGNORED_NAME.match(handler.error_name) is not None
    severity = Severity.HIGH if failure.loses_work and not noted else Severity.MEDIUM
    caught = ", ".join(handler.caught) or "everything"
    first = case.writes[0] if case.writes else case.calls[0] if case.calls else caught
    return Finding(
        case.place,
        severity,
        failure.fact,
        signals=(Signal(failure.kind, Category.SYNTAX, failure.certainty, failure.fact.rstrip(".")),),
        evidence={
            "kind": Measure(failure.kind),
            "caught": Measure(caught),
            "handler_does": Measure(handler.does),
            "guarded_calls": Measure(tuple(dict.fromkeys(case.calls))[:5]),
            **({"writes_by_name": Measure(case.writes)} if case.writes else {}),
        },
        discriminator=f"{failure.kind}|{caught}|{first}",
        notes=("a name says that it is intended, but not why: lowered one step",)
        if noted and failure.loses_work
        else (),
        fix=failure.fix,
    )


# What a comment has to say to settle a finding in doubt.
DETECTOR = Detector(
    id="silent_failure",
    title="Failure that looks like success",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.MINUTES,
    detect=detect,
    default=False,
    needs=(SYMBOLS,),
    examples=(
        Example(
            "a charge that may fail unseen, in Python",
            {
                "billing.py": "def settle(order, gateway):\n    try:\n        gateway.charge(order.card, order.total)\n"
                "    except Exception:\n        pass\n"
            },
            ("billing.py:4",),
            severity=Severity.HIGH,
        ),
        Example(
            "a lost row in TypeScript",
            {
                "src/sync.ts": "export async function sync(orders: Orders, row: Row) {\n  try {\n"
                "    await orders.insert(row);\n  } catch {\n  }\n}\n"
            },
            ("src/sync.ts:4",),
            severity=Severity.HIGH,
        ),
        Example(
            "a failed fetch is logged and its result used, in Python",
            {
                "prices.py": "import logging\n\n\ndef total(client, order):\n    try:\n        rates = client.rates(order)\n"
                "    except ConnectionError as error:\n        logging.warning('no rates: %s', error)\n"
                "    return order.price * rates.factor\n"
            },
            ("prices.py:7",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a failed fetch is logged and its result used, in TypeScript",
            {
                "src/prices.ts": "export async function total(client: Client) {\n  let rates;\n  try {\n"
                "    rates = await client.rates();\n  } catch (error) {\n    console.error(error);\n  }\n"
                "  return rates.factor;\n}\n"
            },
            ("src/prices.ts:5",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "an answer of success for a failed import",
            {
                "src/orders.js": "export async function importOrders(req, res) {\n  try {\n    await load(req.body);\n"
                "    res.json({ success: true });\n  } catch (error) {\n    console.error(error);\n"
                "    res.json({ success: true });\n  }\n}\n"
            },
            ("src/orders.js:5",),
        ),
        Example(
            "a loop that no interruption ends",
            {
                "worker.py": "def run(queue):\n    while True:\n        try:\n            queue.take()\n"
                "        except (KeyboardInterrupt, TimeoutError):\n            continue\n"
            },
            ("worker.py:5",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "every exception, interruptions too, is dropped",
            {
                "worker.py": "async def run(job):\n    try:\n        await job.start()\n    except BaseException:\n        pass\n"
            },
            ("worker.py:4",),
        ),
        Example(
            "silent when the interruption ends the loop",
            {
                "worker.py": "def run(queue):\n    while True:\n        try:\n            queue.take()\n"
                "        except KeyboardInterrupt:\n            break\n\n\ndef main(queue):\n    try:\n        while True:\n"
                "            queue.take()\n    except KeyboardInterrupt:\n        pass\n"
            },
        ),
        Example(
            "silent on a task that is cancelled and then awaited",
            {
                "tasks.py": "import asyncio\n\n\nasync def stop_all(tasks):\n    for task in tasks:\n        task.cancel()\n"
                "        try:\n            await task.wait()\n        except asyncio.CancelledError:\n            pass\n"
            },
        ),
        Example(
            "silent when the result has a default or is checked",
            {
                "prices.py": "import logging\n\n\ndef total(client, order):\n    rates = STANDARD\n    try:\n"
                "        rates = client.rates(order)\n    except ConnectionError as error:\n        logging.warning(error)\n"
                "    return rates.factor\n\n\ndef fee(client, order):\n    rates = None\n    try:\n"
                "        rates = client.rates(order)\n    except ConnectionError as error:\n        logging.warning(error)\n"
                "    if rates is None:\n        return 0\n    return rates.fee\n",
            },
        ),
        Example(
            "silent when the handler leaves or ends the program",
            {
                "prices.py": "import logging\nimport sys\n\n\ndef total(client):\n    try:\n        rates = client.rates()\n"
                "    except ConnectionError as error:\n        logging.warning(error)\n        sys.exit(1)\n"
                "    return rates.factor\n\n\ndef fee(client):\n    try:\n        rates = client.rates()\n"
                "    except ConnectionError as error:\n        logging.warning(error)\n        return 0\n    return rates.fee\n",
            },
        ),
        Example(
            "silent when the failure is answered as one",
            {
                "src/orders.js": "export async function importOrders(req, res) {\n  try {\n    await load(req.body);\n"
                "    res.json({ success: true });\n  } catch (error) {\n    res.json({ success: false });\n  }\n}\n"
            },
        ),
        Example(
            "silent when the error is logged, counted or raised",
            {
                "billing.py": "import logging\n\n\ndef settle(order, gateway):\n    try:\n        gateway.charge(order)\n"
                "    except Exception:\n        logging.exception('not charged')\n\n\ndef count(order, gateway, lost):\n"
                "    try:\n        gateway.charge(order)\n    except Exception:\n        lost += 1\n    return lost\n\n\n"
                "def strict(order, gateway):\n    try:\n        gateway.charge(order)\n    except Exception:\n        raise\n",
            },
        ),
        Example(
            "silent when a comment or the documentation states the reason",
            {
                "billing.py": "def settle(order, gateway):\n    try:\n        gateway.charge(order)\n    except Exception:\n"
                "        # The nightly run charges what is still open.\n        pass\n\n\ndef note(order, orders):\n"
                '    """Store a note, as a best effort."""\n    try:\n        orders.insert(order)\n    except Exception:\n'
                "        pass\n"
            },
        ),
        Example(
            "silent on a narrow type",
            {
                "orders.py": "def settle(order, gateway):\n    try:\n        gateway.charge(order)\n    except AlreadyPaid:\n"
                "        pass\n"
            },
        ),
        Example(
            "silent on cleanup",
            {
                "pool.py": "def retire(conn, orders):\n    try:\n        orders.delete()\n        orders.close()\n"
                "    except Exception:\n        pass\n\n\ndef close(orders):\n    try:\n        orders.commit()\n"
                "    except Exception:\n        pass\n"
            },
        ),
        Example(
            "silent on caches, telemetry and optional imports",
            {
                "pages.py": "def keep(page, cache):\n    try:\n        cache.save(page)\n    except Exception:\n        pass\n\n\n"
                "def count(telemetry):\n    try:\n        telemetry.publish('used')\n    except Exception:\n        pass\n\n\n"
                "def fast(orders):\n    try:\n        import quick\n        orders.save(quick)\n    except Exception:\n        pass\n"
            },
        ),
        Example(
            "silent on a question",
            {
                "probe.py": "def can_write(orders):\n    try:\n        orders.insert({})\n    except Exception:\n        return\n"
            },
        ),
        Example(
            "silent inside another handler",
            {
                "sync.py": "def pull(api, orders):\n    try:\n        api.pull()\n    except Exception as error:\n        try:\n"
                "            orders.insert(error)\n        except Exception:\n            pass\n        raise\n"
            },
        ),
        Example(
            "silent when the last attempt raises",
            {
                "sync.py": "def push(orders):\n    for attempt in range(3):\n        try:\n            orders.commit()\n"
                "        except Exception:\n            if attempt == 2:\n                raise\n"
            },
        ),
        Example(
            "silent in a test",
            {
                "tests/test_billing.py": "def test_settle(gateway):\n    try:\n        gateway.charge(1)\n    except Exception:\n        pass\n"
            },
        ),
    ),
)
