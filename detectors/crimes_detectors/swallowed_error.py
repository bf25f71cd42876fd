"""An error is caught and disappears: not raised again, not recorded, not returned.

It looks at handlers that catch everything, or nearly (bare, `Exception`, any JavaScript `catch`), around calls that can
fail, and that then do nothing with the error.

## Why it matters

When an edit breaks the code inside, nothing says so: tests pass, logs are silent, and the caller goes on with less than
it asked for.

## What to do

Catch the type you expect and let the rest through; or record the error with its context; or return it. If ignoring it is
right, say why in a comment on the spot.

## What it accepts

- A comment inside the handler, or on its line, that states a reason (three words or more; fewer lower the severity).
- Cleanup: closing, removing, killing, cancelling; and handlers in `close`, `__del__`, `__exit__`, teardown functions.
- Optional imports and features: an import inside the guarded block.
- Probes, where failing is the answer: a predicate that returns false, a conversion such as `int()` or `JSON.parse`, a
  `try` with an `else`, a JavaScript `catch` that answers with nothing around code that waits for nothing.
- Handlers that catch a narrow type, use the error, call something, or answer with a value.
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
    Handler,
    Measure,
    NoOptions,
    Pass,
    Place,
    Role,
    Severity,
    Signal,
)

_BROAD = frozenset({"Exception", "BaseException", "StandardError", "Throwable", "builtins.Exception"})
_SILENT = frozenset({"pass", "continue", "break", "return", "return_empty"})
_CLEANUP = re.compile(
    r"(?:^|_)(?:a?close|closed|cleanup|clean|unlink|rmtree|rmdir|remove|removeitem|kill|killpg|terminate|disconnect|"
    r"cancel|shutdown|flush|unsubscribe|dispose|destroy|release|quit|stop|rollback|abort|detach|unregister|reset|clear|"
    r"join|wait|focus|blur|unobserve|revokeobjecturl|end|pause|exit|interrupt|teardown)(?:$|_)|^remove[a-z]*listener$",
    re.IGNORECASE,
)
_CLEANUP_FUNCTIONS = re.compile(
    r"^(?:__del__|__exit__|__aexit__|__repr__|__str__|tear_?down\w*|.*(?:close|cleanup|clean_up|shutdown|dispose|"
    r"destroy|unmount|disconnect|terminate)\w*)$",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"^_*(?:is|has|can|should|supports?|check|exists?|try|maybe|probe|detect|looks|verify)(?:_|[A-Z]|$)"
    r"|_(?:detected|available|supported|enabled|exists|installed)$"
)
# Calls that only convert or look up: failing is their way of saying no.
_CONVERSIONS = re.compile(
    r"(?:^|\.)(?:int|float|str|bool|len|repr|isinstance|hasattr|getattr|Decimal|UUID|URL|RegExp|BigInt|Number|Date|"
    r"parse|loads|decode|encode|decodeURI\w*|encodeURI\w*|atob|btoa|stringify|fromisoformat|strptime|fromstring|"
    r"match|test|search|split|strip|lower|upper|replace|startswith|endswith|startsWith|endsWith|format|toString|"
    r"getItem|setItem|removeItem|get|has|keys|values|items|querySelector\w*|matchMedia|resolve|issubclass|type|"
    r"signature|getsource|getfile|literal_eval|structuredClone)$"
)
_WRITES = re.compile(
    r"(?:^|\.)(?:commit|charge|refund|pay|withdraw|transfer|delete|destroy|save|write|write_text|write_bytes|writeFile|"
    r"rmtree|executemany|bulk_create|insert|insert_one|insertOne|insertMany|update_one|publish|capture)$"
)
_NOT_A_REASON = re.compile(
    r"noqa|pragma|type:\s*ignore|pylint|eslint|prettier|@ts-|todo|fixme|xxx|nosec|mypy|pyright|biome|istanbul|c8 ignore",
    re.I,
)


def _is_broad(handler: Handler) -> bool:
    return not handler.caught or any(caught.split(".")[-1] in _BROAD for caught in handler.caught)


def _words_beside(file: File, handler: Handler) -> int:
    """How many words of explanation stand on the spot, markers for other tools left out."""
    return max(
        (
            len(re.findall(r"[A-Za-z']{2,}", comment.text))
            for comment in file.facts.comments
            if handler.start - 1 <= comment.line <= handler.end
            and (comment.line >= handler.start or comment.own_line)
            and not _NOT_A_REASON.search(comment.text)
        ),
        default=0,
    )


def _guarded_calls(file: File, handler: Handler) -> list[str]:
    """Calls of the guarded block; of `x.load().catch(…)`, the calls before the catch."""
    return [
        call.target
        for call in file.facts.calls
        if handler.body_start <= call.line <= handler.body_end
        and not call.target.endswith(".catch")
        and call.target != "assert"
    ]


def _is_probe(file: File, handler: Handler, calls: list[str]) -> bool:
    """Whether failing is an answer the code asked for."""
    if handler.has_else or all(_CONVERSIONS.search(target) for target in calls):
        return True
    if "return_empty" not in handler.does:
        return False
    name = file.facts.functions[handler.function].name if handler.function >= 0 else ""
    if _PREDICATE.match(name):
        return True
    # Where a handler cannot name a type, an empty answer is how code says "not one of these"; not so around I/O.
    waits = any(
        call.awaited and handler.body_start <= call.line <= handler.body_end for call in file.facts.calls
    )
    return not handler.caught and not waits


def _is_cleanup(file: File, handler: Handler, calls: list[str]) -> bool:
    name = file.facts.functions[handler.function].name if handler.function >= 0 else ""
    if _CLEANUP_FUNCTIONS.match(name):
        return True
    last = [target.rpartition(".")[2] for target in calls]
    return any(_CLEANUP.search(word) for word in last) and len(last) <= 3


def _imports_inside(file: File, handler: Handler) -> bool:
    return any(handler.body_start <= item.line <= handler.body_end for item in file.facts.imports)


def _handlers(file: File) -> Iterator[tuple[Handler, list[str]]]:
    for handler in file.facts.handlers:
        if not _is_broad(handler) or not _SILENT.issuperset(handler.does):
            continue
        calls = _guarded_calls(file, handler)
        if not calls or _imports_inside(file, handler) or _words_beside(file, handler) >= 3:
            continue
        if not _is_cleanup(file, handler, calls) and not _is_probe(file, handler, calls):
            yield handler, calls


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE:
            continue
        seen: Counter[str] = Counter()
        for handler, calls in _handlers(file):
            function = file.facts.functions[handler.function] if handler.function >= 0 else None
            writes = tuple(sorted({target for target in calls if _WRITES.search(target)}))
            several = len(set(calls)) > 1
            severity = Severity.HIGH if writes else Severity.MEDIUM if several else Severity.LOW
            noted = _words_beside(file, handler) > 0
            if noted:
                severity = Severity.MEDIUM if severity is Severity.HIGH else Severity.LOW
            caught = ", ".join(handler.caught) or "everything"
            empty = handler.does == ("pass",)
            outcome = "does nothing" if empty else f"only does `{_outcome(handler)}`"
            key = f"{caught}|{calls[0]}"
            seen[key] += 1
            guarded = tuple(dict.fromkeys(calls))[:5]
            yield Finding(
                Place(file.path, handler.start, handler.end, function.qualname if function else ""),
                severity,
                f"A handler catches {caught} around `{writes[0] if writes else calls[0]}` and {outcome}. "
                "A failure here reaches neither the caller nor a log. "
                "Catch the expected type, record the error, or state in a comment why it may be ignored.",
                signals=(
                    Signal(
                        "swallowed_error",
                        Category.SYNTAX,
                        88 if empty and len(guarded) > 1 else 80,
                        "catches everything, does nothing, several calls can fail"
                        if empty and len(guarded) > 1
                        else "the handler's body as parsed",
                    ),
                ),
                evidence={
                    "caught": Measure(caught),
                    "handler_does": Measure(handler.does),
                    "guarded_calls": Measure(guarded),
                    "guarded_call_count": Measure(len(calls)),
                    **({"writes_by_name": Measure(writes)} if writes else {}),
                },
                discriminator=f"{key}|{seen[key]}",
                notes=("A comment says that it is meant, not why: severity lowered one step.",)
                if noted
                else (),
            )


def _outcome(handler: Handler) -> str:
    return {"return_empty": "return nothing", "return": "return"}.get(handler.does[0], handler.does[0])


DETECTOR = Detector(
    id="swallowed_error",
    title="Error caught and dropped",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.MINUTES,
    detect=detect,
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
            "an empty catch in TypeScript",
            {
                "src/sync.ts": "export async function sync(api: Api) {\n  try {\n    await api.pull();\n"
                "    await api.merge();\n  } catch {\n  }\n}\n"
            },
            ("src/sync.ts:5",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a promise whose rejection is thrown away",
            {"src/warm.js": "export function warm(cache) {\n  cache.preload('all').catch(() => {});\n}\n"},
            ("src/warm.js:2",),
            severity=Severity.LOW,
        ),
        Example(
            "silent when the error is recorded",
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
            "silent on a probe",
            {
                "src/url.ts": "export function isUrl(text: string) {\n  try { new URL(text); return true; } catch { return false; }\n}\n"
            },
        ),
    ),
)
