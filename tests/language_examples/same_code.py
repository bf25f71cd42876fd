"""Examples of the same code in every language: a place that is reported and one beside it that is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crimes.detection.detector import Commit, Example
from tests.language_examples.code import Code, Lines, line_of

_VERBS = {"prices": "weigh", "taxes": "measure"}


def _in_body(code: Code, bad: Lines, good: Lines, line: str) -> Example:
    """A function with something in its body, and one beside it without."""
    culprit = code.module("prices", code.function("weigh", bad))
    innocent = code.module("taxes", code.function("measure", good))
    files = code.project({"prices": culprit, "taxes": innocent})
    return Example("and silent beside it", files, (f"{code.path('prices')}:{line_of(culprit, line)}",))


def hidden_text(code: Code) -> Example:
    bad = code.text_variable("user\u200bname")
    return _in_body(code, [bad], [code.text_variable("user name")], bad)


def _counting(code: Code) -> Lines:
    return [
        code.variable("total", "0"),
        *code.loop("total < value", [code.statement("total = total + save(value)")]),
    ]


def _deep(code: Code, depth: int) -> Lines:
    if not depth:
        return [code.statement("send(value)")]
    block = code.loop if depth % 2 else code.branch
    return block(f"value > {depth}", _deep(code, depth - 1))


def identical_branches(code: Code) -> Example:
    send, hold = code.statement("send(value)"), code.statement("hold(value)")
    alike = code.chain([("value > 1", [send])], [send])
    differing = code.chain([("value > 1", [send]), ("value > 7", [hold])], [send])
    return _in_body(code, alike, differing, alike[2])


def repeated_condition(code: Code) -> Example:
    send, hold = code.statement("send(value)"), code.statement("hold(value)")
    conditions = ("value > 7", "value > 3", "value > 7")
    twice = code.chain([(condition, [send]) for condition in conditions], [hold])
    once = code.chain([(condition, [send]) for condition in conditions[:2]], [hold])
    return _in_body(code, twice, once, twice[4])


def overwritten_argument(code: Code) -> Example:
    lost, made = code.statement("value = 7"), code.statement("value = value + 7")
    culprit = code.module("prices", code.function("weigh", [lost]))
    innocent = code.module("taxes", code.function("measure", [made]))
    calls = [code.statement(code.call(module, verb)) for module, verb in _VERBS.items()]
    caller = code.module("shop", code.function("total", calls), uses=("prices", "taxes"))
    files = code.project({"prices": culprit, "taxes": innocent, "shop": caller})
    return Example("and silent beside it", files, (f"{code.path('prices')}:{line_of(culprit, lost)}",))


def _start(code: Code, text: str, name: str) -> int:
    return line_of(text, code.function(name, [])[0])


def _long(code: Code, name: str) -> Lines:
    loop = [
        code.statement("total = total + price(value)"),
        *code.branch("total > 7", [code.statement("total = total - discount(value, total)")]),
        *code.branch("total > highest(value)", [code.statement("send(round(total), value, 3)")]),
        code.statement("count(total * 2 + value)"),
        *code.loop("price(total) < 3", [code.statement("total = charge(charge(total), value)")]),
    ]
    body = [
        code.variable("total", "0"),
        *code.loop("total < value", loop),
        *code.branch(
            "total > most(value, 1)",
            [code.statement("warn(total)"), code.statement("total = most(value, 1)")],
        ),
        code.statement("store(total, value)"),
    ]
    return code.function(name, body, "total")


def cloned_logic(code: Code) -> Example:
    files = code.project(
        {
            "gifts": code.module("gifts", _long(code, "weigh")),
            "sales": code.module("sales", _long(code, "measure")),
            "taxes": code.module("taxes", code.function("other", _counting(code), "total")),
        }
    )
    start = _start(code, files[code.path("gifts")], "weigh")
    return Example(
        "two copies and another",
        files,
        (f"{code.path('gifts')}:{start}",),
        options={"min_verbatim_lines": 12},
    )


def drifted_copy(code: Code) -> Example:
    old = {
        "gifts": code.module("gifts", _long(code, "weigh")),
        "sales": code.module("sales", _long(code, "measure")),
        "taxes": code.module("taxes", code.function("other", _counting(code), "total")),
    }
    fixed = old["gifts"].replace("- discount(", "- 2 * discount(")
    assert fixed != old["gifts"]
    line = next(line for line in old["sales"].splitlines() if "discount(" in line)
    history = (
        Commit("Add totals", code.project(old), days_ago=90),
        Commit("Fix discounts above the price", code.project(old | {"gifts": fixed}), days_ago=60),
    )
    finds = (f"{code.path('sales')}:{line_of(old['sales'], line)}",)
    return Example("a fix that reached one of two copies", {"notes.txt": "done"}, finds, history=history)


def layer_violation(code: Code) -> Example:
    low = code.module("rows", code.function("read", [], code.call("views", "show")), uses=("views",))
    high = code.module("views", code.function("show", [], "value"))
    fine = code.module("pages", code.function("draw", [], code.call("store", "load")), uses=("store",))
    store = code.module("store", code.function("load", [], "value"))
    files = code.project({"rows": low, "views": high, "pages": fine, "store": store})
    line = code.import_line("views") or code.call("views", "show")
    layers = {"web": ("views", "pages"), "data": ("rows", "store")}
    files_of_layers = "".join(
        f"{layer} = {[code.path(module) for module in modules]}\n" for layer, modules in layers.items()
    )
    settings = f'[layers]\norder = ["web", "data"]\n\n[layers.files]\n{files_of_layers}'
    return Example(
        "upwards, and downwards",
        {**files, "crimes.toml": settings},
        (f"{code.path('rows')}:{line_of(low, line)}",),
    )


def repeat_offender(code: Code) -> Example:
    """Fixes of the code of one file, and fixes of another that changed nothing but a comment."""
    texts = {name: code.module(name, code.function(verb, _deep(code, 5))) for name, verb in _VERBS.items()}
    wrong = [code.module("prices", code.function(_VERBS["prices"], _deep(code, 6 + n))) for n in range(5)]
    fixes = [_step(code, "prices", wrong[n], n, "Fix rounding", days_ago=40 - n) for n in range(5)]
    remarks = [_step(code, "taxes", texts["taxes"], n, "Fix rates", days_ago=60 - n) for n in range(5)]
    work = [_step(code, "taxes", texts["taxes"], n, "Add a rate", days_ago=90 - n) for n in range(9)]
    finds = (f"{code.path('prices')}:1",)
    return Example("fixes here, work there", code.project(texts), finds, history=(*work, *remarks, *fixes))


def _step(
    code: Code, module: str, text: str, n: int, message: str, *, days_ago: int, author: str = "Ada"
) -> Commit:
    changed = f"{text}{code.comment(f'Step {n}.')}\n"
    files = {code.path(module): changed}
    return Commit(f"{message} {n}", files, days_ago=days_ago, author=f"{author} <{author}@example.org>")


MAKERS: Sequence[Callable[[Code], Example]] = (
    hidden_text,
    identical_branches,
    repeated_condition,
    overwritten_argument,
    cloned_logic,
    drifted_copy,
    layer_violation,
    repeat_offender,
)
