"""Whether a condition as written gives the same answer when it is asked again."""

from __future__ import annotations

from crimes.model.lazy_regex import regex

_CALL = regex(r"(?<![\w$])([\w$]++)[!?]?\s*+\(")
_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Words in names of calls that do something.
_ACTS = frozenset(
    [
        "read",
        "write",
        "next",
        "pop",
        "push",
        "shift",
        "take",
        "eat",
        "match",
        "accept",
        "consume",
        "advance",
        "skip",
        "scan",
        "expect",
        "try",
        "parse",
        "poll",
        "recv",
        "receive",
        "send",
        "fetch",
        "rand",
        "random",
        "lock",
        "acquire",
        "wait",
        "add",
        "remove",
        "delete",
        "insert",
        "set",
        "update",
        "create",
        "open",
        "close",
        "run",
        "exec",
        "commit",
        "put",
        "load",
        "save",
        "step",
        "move",
        "seek",
        "handle",
        "process",
        "start",
        "stop",
        "call",
        "emit",
        "dispatch",
        "confirm",
        "ask",
        "prompt",
        "resolve",
        "register",
        "apply",
        "swap",
        "signal",
        "now",
        "time",
    ]
)
_CHANGES = regex(r"\+\+|--|:=|<-|(?<![=!<>])=(?![=>~])|`|&mut\b|[(,]\s*&\s*\w|\b(?:await|yield|new)\b")
# Calls that only look.
_LOOKS = regex(
    r"(?:is|has|have|can|should|was|are|len|count|size|length|empty|isset|contains?|includes?|equals?|eq|type(?:of)?|"
    r"starts?_?[wW]ith|ends?_?[wW]ith|in_array|array_key|exists?|respond_to|defined|key|callable|lower|upper|trim|strip|"
    r"(?:to|str|mem)[a-z]*|abs|ord|int|float|bool|any|all|not|and|or|if|in|Boolean|String|Number)(?=$|[A-Z_\d])"
)


def may_act(condition: str) -> bool:
    """Whether a condition changes something, or calls what by its name does more than look."""
    if _CHANGES.search(condition):
        return True
    return any(_ACTS.intersection(map(str.lower, _WORD.findall(name))) for name in _CALL.findall(condition))


def only_looks(condition: str) -> bool:
    """Whether every call in a condition is known, by its name, to look and nothing else."""
    return not may_act(condition) and all(map(_LOOKS.match, _CALL.findall(condition)))
