"""An error is caught and dropped: not raised again, not logged, not returned.

It looks at handlers that catch everything, or nearly (bare, `Exception`, any JavaScript `catch`, `if err != nil`), around
calls that can fail, and that then do nothing with the error; and at errors that are discarded unseen (`_ = save()`,
`try? save()`), where the function is of this repository and says that it may fail.

## Why it matters

When an edit breaks the code inside, nothing says so: tests pass, logs are silent, and the caller goes on with less than it asked for.

## What to do

Catch the type you expect, log or return the error, or state in a comment why it may be ignored. Let all other errors through.

## Before

```python
def save_all(orders):
    for order in orders:
        try:
            validate(order)
            database.save(order)
        except Exception:
            continue
```

## After

```python
def save_all(orders):
    for order in orders:
        try:
            validate(order)
        except ValidationError as error:
            log.warning("order %s is not saved: %s", order.id, error)
            continue
        database.save(order)
```

## What it accepts

- A comment inside the handler, or on its line, that states a reason (three words or more; fewer lower the severity, and so
  does an error that is called `ignored`); one just before or at the top of the guarded block, or the function's own
  documentation, when it mentions failure.
- Cleanup: closing, removing, killing, cancelling; and handlers in `close`, `__del__`, `__exit__`, teardown functions.
- Optional imports and features: an import inside the guarded block, also by a call; the browser's storage, which may be off;
  telemetry, which must not stop the program.
- A `try` inside another handler: the first error is the one being handled.
- A way out (`continue`, `return`) around a single plain function that neither waits, writes nor reaches out of the process;
  making a folder that may exist.
- Probes, where failure is the answer: a predicate, a conversion such as `int()` or `JSON.parse`, a function whose name
  promises a conversion or an attempt (`parse_date`, `safe_repr`, `user_or_none`) and that does no I/O, a `try` with an
  `else`, a cache that is read (a failure is a miss), an empty result around code that neither waits nor reaches out of the process.
- Handlers that catch a narrow type, use the error, call something, or return a value.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from crimes.api import (
    ANY,
    SYMBOLS,
    Call,
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
    count,
    regex,
)

_BROAD = frozenset(
    {"Exception", "BaseException", "NonFatal", "RuntimeException", "StandardError", "Throwable", "exception"}
)
# Names of errors that are ignored on purpose.
_IGNORED_NAME = regex(r"_*(?:ignor|unused|expected|swallow)", re.IGNORECASE)
# What a handler does that drops the error, in the words of a message.
_OUTCOMES = {
    "pass": "does nothing",
    "continue": "goes on with the next item",
    "next": "goes on with the next item",
    "break": "leaves the loop",
    "return": "returns",
    "return_empty": "returns an empty value",
}
_SILENT = frozenset(_OUTCOMES)
_CLEANUP_CALL = regex(
    r"(?:^|_)(?:a?close|closed|cleanup|clean|unlink|rmtree|rmdir|remove|removeitem|kill|killpg|terminate|disconnect|"
    r"cancel|shutdown|flush|unsubscribe|dispose|destroy|release|quit|stop|rollback|abort|detach|unregister|reset|clear|"
    r"join|wait|mkdirp?|makedirs|ensure_?dir|focus|blur|unobserve|revokeobjecturl|end|pause|exit|interrupt|teardown|rm|flock|unlock|play|vibrate|"
    r"(?:request|exit)fullscreen)(?:sync)?(?:$|_)|^remove[a-z]*listener$|^(?:close|shutdown|stop|release|dispose|"
    r"delete|destroy|disconnect|terminate)(?:quietly|silently|now|ifexists|onexit|gracefully|forcibly|connection|stream|"
    r"socket|channel|session|resources?)$",
    re.IGNORECASE,
)
_FILE_REMOVAL = regex(r"^(?:Dir|File|FileUtils)\.(?:delete|rm\w*|unlink|remove\w*)$")
_CLEANUP_FUNCTION = regex(
    r"^(?:__del__|__exit__|__aexit__|__repr__|__str__|tear_?down\w*|.*(?:close|cleanup|clean_up|shutdown|dispose|"
    r"destroy|unmount|disconnect|terminate)\w*)$",
    re.IGNORECASE,
)
# Names that promise an answer or an attempt.
_QUESTION_NAME = regex(
    r"^_*(?:(?:is|has|can|should|supports?|exists?|looks|try|maybe|attempt|track|wait|block_until|poll|retry)(?:_|[A-Z]|$)|is(?!sue|land|ol)[a-z])"
    r"|(?:_|[a-z](?=[A-Z]))(?:detected|available|supported|enabled|exists|installed|Available|Supported|Enabled|Exists)$"
    r"|^_*(?:read|load|get)_?\w*[cC]ache(?:d|$|_|[A-Z])"
)
_ATTEMPT_NAME = regex(
    r"^_*(?:check|probe|detect|verify|parse|to|from|as|decode|encode|coerce|convert|normali[sz]e|safe|"
    r"guess|sniff|infer|extract)(?:_|[A-Z]|$)"
    r"|_(?:to|from)_|[a-z]To[A-Z]|_(?:safe|safely|quietly|silently|or_none|or_null|or_default|or_empty)$"
    r"|(?:Safe|Safely|Quietly|Silently|OrNull|OrUndefined|OrDefault)$"
)
# Calls that reach outside the process: a failure there is not an answer.
_IO_CALL = regex(
    r"(?:^|[._])(?:open|read|readFile|fetch|request|send|query|execute|connect|post|put|patch|write|download|upload|"
    r"read_text|read_bytes|readFileSync|urlopen|popen|run|exec|spawn|check_output)(?:Sync)?$",
    re.IGNORECASE,
)
# Calls that parse input: a failure means malformed input.
_PARSING_CALL = regex(
    r"(?:^|\.)(?:JSON\.parse|URL|atob|decodeURIComponent|ip_address|ip_network|UUID|int|float|Decimal|literal_eval|"
    r"fromisoformat|strptime|json\.loads|BigInt|RegExp|(?:JSON|PropertyList)(?:De|En)coder|(?:strconv|time|url|net|netip|uuid)\.Parse\w*|Atoi|[Uu]nmarshal|Integer|Float|Rational|(?:safe_)?constantize|iso8601|IPAddr\.new)$"
)
# Calls that only convert or look up: a failure means no.
_CONVERSION_CALL = regex(
    r"(?:^|\.)(?:int|float|str|bool|len|repr|isinstance|hasattr|getattr|Decimal|UUID|URL|RegExp|BigInt|Number|Date|"
    r"parse|loads|decode|encode|decodeURI\w*|encodeURI\w*|atob|btoa|stringify|fromisoformat|(?:utc)?fromtimestamp|strptime|fromstring|"
    r"match|matchAll|test|search|split|strip|lower|upper|replace|startswith|endswith|startsWith|endsWith|format|toString|"
    r"getItem|setItem|removeItem|get|has|keys|values|items|querySelector\w*|matchMedia|resolve|issubclass|type|"
    r"signature|getsource|getfile|literal_eval|structuredClone|json|text|clone|then|access|l?stat|exists|defineProperty|hash|iter|next|callable|dir|vars|isclass|ismodule|"
    r"isfunction|unwrap|setdefault|valueOf|forName|ip_address|ip_network|Atoi|[Uu]nmarshal|Err|Integer|Float|Rational|(?:safe_)?constantize|iso8601|"
    r"(?:parse|from|to|as|decode|coerce|normalize|is|has|verify|validate)(?:_|[A-Z])\w*|\w+_to_\w+|\w+_or_(?:none|error))$"
)
_OPTIONAL_CALL = regex(
    r"(?:^|\.)(?:(?:import|require|createRequire)(?:_|[A-Z(]|$)|get_?[bB]uiltin_?[mM]odule|CDLL$|dlopen$|[Ll]oadLibrary$|Class\.forName$|loadClass$|(?:local|session)Storage\.)"
    r"|telemetry|analytics|posthog"
)
_WRITING_CALL = regex(
    r"(?:^|\.)(?:commit|charge|refund|pay|withdraw|transfer|delete|destroy|save|write|write_text|write_bytes|writeFile|"
    r"rmtree|executemany|bulk_create|insert|insert_one|insertOne|insertMany|update_one|publish|capture)$"
)
_TOOL_MARKER = regex(
    r"noqa|pragma|type:\s*ignore|pylint|eslint|prettier|@ts-|todo|fixme|xxx|nosec|mypy|pyright|biome|istanbul|c8 ignore",
    re.I,
)


# A comment outside the handler counts if it has one of these words.
_FAILURE_WORDS = regex(
    r"fail|error|exception|throw|crash|\bavoid|suppress|\brais(?:e|es|ed|ing)\b|ignor|invalid|best.?effort|harmless|tolerat|swallow|silent|"
    r"succe(?:ed|ss)|fall(?:s|ing)? ?(?:back|through)|unsupported|not (?:be )?(?:support|exist|implement|available|defined|"
    r"allowed)|can't|(?:can|could|may|might|do|does|did|is|was|wo)(?:n'?t| ?not)\b|if possible|ok(?:ay)? (?:if|to)|missing|optional|"
    r"\b(?:None|null|undefined|false|nothing|empty) (?:if|when|on|for|otherwise)",
    re.IGNORECASE,
)


# Result types of functions that return a failure as a value.
_ERROR_RESULT = regex(r"(?:^|[\s(,])error\)?$|^(?:\w+::)*Result\b")


def _matches(pattern: re.Pattern[str], name: str) -> bool:
    """Whether a name matches; in some languages public names begin with a capital."""
    before, dot, last = name.rpartition(".")
    return bool(pattern.search(name) or pattern.search(f"{before}{dot}{last[:1].lower()}{last[1:]}"))


def _is_broad(handler: Handler) -> bool:
    return not handler.caught or any(re.split(r"\.|::", caught)[-1] in _BROAD for caught in handler.caught)


def _word_count(comment: Comment) -> int:
    """The number of words in a comment; 0 if it is a marker for another tool."""
    return 0 if _TOOL_MARKER.search(comment.text) else len(re.findall(r"[A-Za-z']{2,}", comment.text))


def _words_at(file: File, handler: Handler) -> int:
    """The number of words in the longest comment in or right above the handler."""
    comments = file.facts.comments  # in the order of their lines
    first = bisect_left(comments, handler.start - 1, key=lambda comment: comment.line)
    last = bisect_right(comments, handler.end, key=lambda comment: comment.line)
    return max(
        (
            _word_count(comment)
            for comment in comments[first:last]
            if comment.line >= handler.start or comment.own_line
        ),
        default=0,
    )


def _explained_nearby(file: File, handler: Handler) -> bool:
    """Whether a comment about failure is around the guarded block, or in the function's documentation."""
    function = file.facts.functions[handler.function] if handler.function >= 0 else None
    start = function.start if function else 1
    comments = file.facts.comments
    first = bisect_left(comments, min(start, handler.body_start) - 30, key=lambda comment: comment.line)
    last = bisect_right(comments, handler.end + 1, key=lambda comment: comment.line)
    attached = handler.body_start - 3  # the `try`, and a declaration before it
    for comment in reversed(comments[first:last]):
        before = max(attached, start) <= comment.end and comment.line <= handler.body_start + 2
        if before:
            attached = min(attached, comment.line - 1)
        near = before or comment.line >= handler.start - 2
        documents = function is not None and (
            (comment.doc and start <= comment.line) or comment.end in (start - 1, start - 2)
        )
        if (
            (near or documents)
            and comment.own_line
            and _word_count(comment) >= 3
            and _FAILURE_WORDS.search(comment.text)
        ):
            return True
    return False


class _Calls:
    """The calls of a file by their lines."""

    def __init__(self, file: File) -> None:
        self._calls = file.facts.calls
        self._order = sorted(range(len(self._calls)), key=lambda index: self._calls[index].line)
        self._lines = [self._calls[index].line for index in self._order]

    def guarded(self, handler: Handler) -> list[Call]:
        """Calls of the guarded block, in the order of the file."""
        first = bisect_left(self._lines, handler.body_start)
        last = bisect_right(self._lines, handler.body_end)
        return [self._calls[index] for index in sorted(self._order[first:last])]


def _is_probe(file: File, handler: Handler, calls: list[str], *, waits: bool) -> bool:
    """Whether a failure is an answer the code asked for."""
    function = file.facts.functions[handler.function] if handler.function >= 0 else None
    if _claims_success(handler, function):
        return False
    if handler.has_else or all(_matches(_CONVERSION_CALL, target) for target in calls):
        return True
    is_internal = not (waits or any(_IO_CALL.search(call) or _matches(_WRITING_CALL, call) for call in calls))
    if is_internal and len(set(calls)) == 1 and "." not in calls[0] and handler.does != ("pass",):
        return True  # one plain function with a fallback; a method may belong to anything
    if is_internal and any(_PARSING_CALL.search(target) for target in calls):
        return True
    name = function.name if function else ""
    if _matches(_QUESTION_NAME, name) or (is_internal and _matches(_ATTEMPT_NAME, name)):
        return True
    # An empty result means "not one of these"; around I/O it hides a failure from the caller.
    return is_internal and "return_empty" in handler.does


def _claims_success(handler: Handler, function: Function | None) -> bool:
    """Whether the handler returns an empty value where the caller expects an error."""
    return function is not None and "return_empty" in handler.does and _may_fail(function)


def _may_fail(function: Function) -> bool:
    return _ERROR_RESULT.search(function.result) is not None


def _is_cleanup(file: File, handler: Handler, calls: list[str]) -> bool:
    name = file.facts.functions[handler.function].name if handler.function >= 0 else ""
    if _CLEANUP_FUNCTION.match(name):
        return True
    last = [target.rpartition(".")[2] for target in calls]
    cleans = any(map(_CLEANUP_CALL.search, last)) or any(map(_FILE_REMOVAL.search, calls))
    return cleans and len(last) <= 3


def _is_optional(file: File, handler: Handler, calls: list[str]) -> bool:
    """Whether the guarded code may be unavailable: an import, browser storage, telemetry."""
    return any(handler.body_start <= item.line <= handler.body_end for item in file.facts.imports) or any(
        _OPTIONAL_CALL.search(target) for target in calls
    )


def _handles_another(file: File, handler: Handler) -> bool:
    """Whether it is inside another handler, where an error is being handled already."""
    return any(other.start < handler.start and handler.end <= other.end for other in file.facts.handlers)


def _tries_again(file: File, handler: Handler) -> bool:
    """Whether it continues a loop, and another handler of the same code raises."""
    guarded = (handler.body_start, handler.body_end)
    return "continue" in handler.does and any(
        "raise" in other.does and (other.body_start, other.body_end) == guarded
        for other in file.facts.handlers
    )


def _silent_handlers(file: File) -> Iterator[tuple[Handler, list[str]] | Excused]:
    silent = [
        handler for handler in file.facts.handlers if _is_broad(handler) and _SILENT.issuperset(handler.does)
    ]
    by_line = _Calls(file) if silent else None
    for handler in silent:
        guarded = by_line.guarded(handler) if by_line else []
        targets = (call.dotted for call in guarded)
        # In `x.load().catch(…)`, only the calls before the catch count.
        calls = [target for target in targets if not target.endswith(".catch") and target != "assert"]
        waits = any(call.awaited or call.dotted.endswith(".catch") for call in guarded)
        if not calls or _is_optional(file, handler, calls) or _handles_another(file, handler):
            continue
        if _tries_again(file, handler):
            continue
        if _words_at(file, handler) >= 3 or _explained_nearby(file, handler):
            yield Excused(
                _place(file, handler), "a comment or the documentation says why the error may be ignored"
            )
        elif _is_cleanup(file, handler, calls):
            yield Excused(_place(file, handler), "it cleans up, and a failure there changes nothing")
        elif _is_probe(file, handler, calls, waits=waits):
            yield Excused(_place(file, handler), "failure is an answer that the code asked for")
        else:
            yield handler, calls


def _place(file: File, handler: Handler) -> Place:
    symbol = file.facts.functions[handler.function].qualname if handler.function >= 0 else ""
    return Place(file.path, handler.start, handler.end, symbol)


def _discarded_errors(file: File, symbols: Symbols) -> Iterator[tuple[Handler, list[str]]]:
    """Discarded errors of functions of this repository: unused results, `try? f()`."""
    for handler in file.facts.handlers:
        if handler.does != ("discard",) or not handler.caught:
            continue
        symbol = symbols.resolve(file.path, handler.caught[0], handler.function)
        called = symbols.fact_of(symbol) if symbol is not None else None
        if not isinstance(called, Function) or not (_may_fail(called) or called.result.startswith("throws")):
            continue
        calls = [handler.caught[0]]
        if _handles_another(file, handler) or _is_cleanup(file, handler, calls):
            continue
        if _words_at(file, handler) < 3 and not _explained_nearby(file, handler):
            yield handler, calls


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding | Excused]:
    symbols = scan[SYMBOLS]
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE:
            continue
        seen: Counter[tuple[str, str]] = Counter()
        for item in (*_silent_handlers(file), *_discarded_errors(file, symbols)):
            if isinstance(item, Excused):
                yield item
                continue
            handler, calls = item
            function = file.facts.functions[handler.function] if handler.function >= 0 else None
            if function is not None and function.in_test:
                continue
            finding = _report(file, handler, calls)
            seen[finding.place.symbol, finding.discriminator] += 1
            number = seen[finding.place.symbol, finding.discriminator]
            yield replace(finding, discriminator=f"{finding.discriminator}|{number}")


def _fact(handler: Handler, function: Function | None, target: str, calls: list[str]) -> str:
    if handler.does == ("discard",):
        return f"The error of `{target}` is discarded."
    types = f"`{'`, `'.join(handler.caught)}`" if handler.caught else "every error"
    others = len(set(calls)) - 1
    more = f" (and {count(others, 'more call')})" if others else ""
    outcome = _OUTCOMES[handler.does[0]]
    if _claims_success(handler, function):
        outcome = "returns as if the call had succeeded"
    return f"A handler catches {types} around `{target}`{more} and {outcome}."


def _report(file: File, handler: Handler, calls: list[str]) -> Finding:
    function = file.facts.functions[handler.function] if handler.function >= 0 else None
    discards = handler.does == ("discard",)
    writes = tuple(sorted({target for target in calls if _matches(_WRITING_CALL, target)}))
    several = len(set(calls)) > 1
    severity = Severity.HIGH if writes else Severity.MEDIUM if several else Severity.LOW
    noted = discards or _words_at(file, handler) > 0 or _IGNORED_NAME.match(handler.error_name) is not None
    if noted:
        severity = Severity.MEDIUM if severity is Severity.HIGH else Severity.LOW
    caught = ", ".join(handler.caught) or "everything"
    guarded = tuple(dict.fromkeys(calls))[:5]
    certain = handler.does == ("pass",) and len(guarded) > 1
    reason = (
        "it catches everything and does nothing, and several calls can fail"
        if certain
        else "the handler drops the error"
    )
    return Finding(
        _place(file, handler),
        severity,
        _fact(handler, function, writes[0] if writes else calls[0], calls),
        signals=(Signal("swallowed_error", Category.SYNTAX, 88 if certain else 80, reason),),
        evidence={
            "caught": Measure(caught),
            "handler_does": Measure(handler.does),
            "guarded_calls": Measure(guarded),
            "guarded_call_count": Measure(len(calls)),
            **({"writes_by_name": Measure(writes)} if writes else {}),
        },
        discriminator=f"{caught}|{calls[0]}",
        notes=("a comment or a name says that it is intended, but not why: lowered one step",)
        if noted
        else (),
        fix="Check the error and log or return it, or state in a comment why it may be ignored."
        if discards
        else "",
    )


DETECTOR = Detector(
    id="swallowed_error",
    title="Swallowed error",
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
            "a charge that may fail silently, in Python",
            {
                "billing.py": "def settle(order, gateway):\n    try:\n        gateway.charge(order.card, order.total)\n"
                "    except Exception:\n        pass\n"
            },
            ("billing.py:4",),
            severity=Severity.HIGH,
        ),
        Example(
            "an empty catch in TypeScript",
            {
                "src/sync.ts": "export async function sync(api: Api) {\n  try {\n    await api.pull();\n"
                "    await api.merge();\n  } catch {\n  }\n}\n"
            },
            ("src/sync.ts:5",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a promise whose rejection is discarded",
            {"src/warm.js": "export function warm(cache) {\n  cache.preload('all').catch(() => {});\n}\n"},
            ("src/warm.js:2",),
            severity=Severity.LOW,
        ),
        Example(
            "silent when failures are counted",
            {
                "src/sync.js": "export async function sync(a, b) {\n  try {\n    await a.push();\n    await b.push();\n"
                "  } catch {\n    failures++;\n  }\n}\n",
            },
        ),
        Example(
            "silent when the error is logged",
            {
                "sync.py": "import logging\n\n\ndef pull(api):\n    try:\n        api.pull()\n    except Exception:\n"
                "        logging.exception('pull failed')\n"
            },
        ),
        Example(
            "silent when the handler states its reason",
            {
                "sync.py": "def pull(api):\n    try:\n        api.pull()\n    except Exception:\n"
                "        # The next run pulls again, so a lost one is harmless.\n        pass\n"
            },
        ),
        Example(
            "silent when a comment before the block says why",
            {
                "src/name.ts": "export function rename(f: object, name: string) {\n"
                "  // Older browsers do not allow it, and throw.\n  try {\n    define(f, name);\n    freeze(f);\n"
                "  } catch {}\n}\n"
            },
        ),
        Example(
            "silent when the documentation says so",
            {
                "links.py": 'def latest(root, run):\n    """Point at the latest run, as a best effort."""\n    try:\n'
                "        root.symlink_to(run)\n    except Exception:\n        pass\n"
            },
        ),
        Example(
            "a comment before the block that says something else",
            {
                "sync.py": "def pull(api):\n    # Get the newest orders from the shop.\n    try:\n        api.pull()\n"
                "    except Exception:\n        pass\n"
            },
            ("sync.py:5",),
        ),
        Example(
            "silent on an attempt that stays inside the process",
            {
                "dates.py": "def parse_date(text):\n    try:\n        return normalise(tidy(text))\n"
                "    except Exception:\n        return None\n"
            },
        ),
        Example(
            "a comment deep inside a long block is about something else",
            {
                "worker.py": "def run(self):\n    try:\n        self.a()\n        self.b()\n        self.c()\n        self.d()\n"
                "        # The parent may have failed and left us alone.\n        self.e()\n        self.f()\n        self.g()\n"
                "    except Exception:\n        pass\n"
            },
            ("worker.py:11",),
        ),
        Example(
            "silent on a cache that cannot be read",
            {
                "store.py": "def read_cache(path):\n    try:\n        return load(path.open())\n    except Exception:\n"
                "        return None\n"
            },
        ),
        Example(
            "an attempt that reads a file",
            {
                "settings.py": "def parse_settings(path):\n    try:\n        return build(path.read_text())\n"
                "    except Exception:\n        return None\n"
            },
            ("settings.py:4",),
        ),
        Example(
            "silent on a narrow type",
            {
                "cache.py": "def drop(cache, key):\n    try:\n        cache.evict(key)\n    except KeyError:\n        pass\n"
            },
        ),
        Example(
            "silent on cleanup",
            {
                "pool.py": "def retire(conn):\n    try:\n        conn.close()\n    except Exception:\n        pass\n"
            },
        ),
        Example(
            "silent on an optional import",
            {"fast.py": "try:\n    import ujson\n    ujson.dumps({})\nexcept Exception:\n    ujson = None\n"},
        ),
        Example(
            "silent on an import by a call",
            {
                "src/locale.ts": "export async function locale(names: string[]) {\n  for (const name of names) {\n    try {\n"
                "      return await importLocale(name);\n    } catch {\n      continue;\n    }\n  }\n}\n"
            },
        ),
        Example(
            "silent on the browser's storage",
            {
                "src/recent.ts": "export function remember(name: string) {\n  try {\n"
                "    localStorage.setItem('recent', tidy(name));\n  } catch {}\n}\n"
            },
        ),
        Example(
            "silent on telemetry",
            {
                "src/count.ts": "export function count(app: App) {\n  app.telemetry.send('used').catch(() => {});\n}\n"
            },
        ),
        Example(
            "silent on a promise that answers a question",
            {
                "src/panel.ts": "export async function open(button: Button) {\n"
                "  if (await button.isVisible().catch(() => false)) {\n    await button.click();\n  }\n}\n"
            },
        ),
        Example(
            "silent inside another handler",
            {
                "sync.py": "def pull(api):\n    try:\n        api.pull()\n    except Exception as error:\n        try:\n"
                "            api.note(error)\n        except Exception:\n            pass\n        raise\n"
            },
        ),
        Example(
            "silent on one call that stays inside the process",
            {
                "src/ids.py": "def slugs(titles):\n    out = []\n    for title in titles:\n        try:\n            out += [slugify(title)]\n        except Exception:\n            continue\n    return out\n"
            },
        ),
        Example(
            "silent when the handler decides",
            {
                "src/rows.py": "def rows(docs, names, api):\n    for doc in docs:\n        try:\n            api.send(doc)\n            api.mark(doc)\n        except Exception:\n            if doc not in names:\n                continue\n        yield doc\n"
            },
        ),
        Example(
            "silent on making a folder",
            {
                "src/out.js": "import fs from 'fs';\n\nexport function prepare(dir) {\n  try {\n    fs.mkdirSync(dir);\n  } catch {\n  }\n}\n"
            },
        ),
        Example(
            "silent on a probe",
            {
                "src/url.ts": "export function isUrl(text: string) {\n  try { new URL(text); return true; } catch { return false; }\n}\n"
            },
        ),
    ),
)
