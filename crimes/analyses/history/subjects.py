"""What the subject and the author of a commit reveal: whether it is a fix, whether a bot made it, what to quote."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from crimes.model.lazy_regex import regex
from crimes.model.wording import cut_at_word

_BOT = regex(
    r"\[bot\]|\b(?:dependabot|renovate|greenkeeper|pre-commit-ci|github-actions?|allcontributors|mergify|imgbot)\b"
    r"|(?:^|[\s_.-])(?:ro)?bot$",
    re.IGNORECASE,
)

_LEAD = regex(r"""(?:\[[^\]]{0,60}\]|:\w{1,60}:|[^\w\[("'`])*+""")  # "[4.2.x] ", an emoji, a dash
_NOT_A_FIX = regex(r"(?:merged?|revert(?:ed)?|release|bump(?:ed)?)\b", re.IGNORECASE)
_REVERT = regex(r"revert(?:s|ed)?\b", re.IGNORECASE)  # of a stated fix: "fix: release the lock" is one
_CONVENTIONAL = regex(r"(?P<type>[A-Za-z]+)(?:\((?P<scope>[^)]*)\))?!?:\s+(?P<rest>.*)")
_FIX_TYPES = frozenset({"fix", "fixes", "fixed", "bugfix", "hotfix", "bug"})
_OTHER_TYPES = frozenset(
    {"feat", "feature", "doc", "docs", "chore", "test", "tests", "style", "refactor", "perf", "build", "ci"}
    | {"types", "dx", "wip", "workflow", "deps", "dep", "lint", "typo", "example", "examples"}
)
# "eslint: fix prefer-at" satisfies a tool.
_TOOLS = frozenset(
    {"eslint", "ruff", "flake8", "mypy", "pyright", "prettier", "rubocop", "phpstan", "psalm", "clippy"}
    | {"tsc", "typescript", "pylint", "stylelint", "biome", "golangci", "checkstyle", "ktlint", "swiftlint"}
)
_OTHER_SCOPES = frozenset(
    {
        "deps",
        "deps-dev",
        "doc",
        "docs",
        "readme",
        "lint",
        "linter",
        "clippy",
        "ci",
        "test",
        "tests",
        "typo",
        "typos",
    }
    | {"build", "release", "workflow", "workflows", "changelog", "comment", "comments", "example", "examples"}
    | {"benchmark", "benchmarks", "dx", "website", "style", "format"}
)
# "[Fix #12] Do not ...", "[FIXED] The ...", "[Bug][Sales] The ...", "(bugfix) The ..."
_STATED_TICKET = regex(
    r"(?:[\[(]\s*((?:hot|bug)[- ]?fix(?:e[sd])?|fix(?:e[sd])?|bug)(\s[^\])]*)?[\])])", re.IGNORECASE
)
# "Resolve #12: the total ...", "Issue #12: ...", "Resolved ABC-12 ..."; what follows must not be a wish.
_RESOLVED = regex(
    r"(?:(?:resolv(?:e[sd]?|ing)(?: (?:bug|issue|ticket))?|issue)[ :]+)(?=[(\[]?(?:[\w./-]*#|(?-i:[A-Z]{2,}-))\d)",
    re.IGNORECASE,
)
# "(fixes #12)" at the end of a subject that says what is different now.
_CLOSED_TICKET = regex(r"[(,;] ?(?:fix(?:e[sd])?):? #?\d+\)?(?: \(#\d+\))?\.?$", re.IGNORECASE)
_SCOPE = regex(r"[\w./,-]+: ")
_FAULT = regex(
    r".*\b(?:prevent|avoid|handle|stop|resolve|repair|guard against|do not|don't|no longer)(?:e?s|e?d|ing)?\b.*\b"
    r"(?:crash\w*|panic\w*|leak\w*|deadlock\w*|rac(?:e|es|y)|segfault\w*|overflow\w*|underflow\w*|hang\w*|infinite loops?"
    r"|off[- ]by[- ]one|use[- ]after[- ]free|null ?pointer\w*|out[- ]of[- ]bounds|data loss|corrupt\w*)\b"
    r"|(?:[\w./-]+: )?(?:crash|panic|deadlock|segfault|memory leak|race condition|off[- ]by[- ]one)(?:e?s)? (?:when|while|in|on|if|with)\b",
    re.IGNORECASE,
    within=400,
)

_REVERTED = regex(
    r"(?:[a-z]+(?:\([^)]*\))?!?:\s+)?revert(?:ed)?:? [\"“'`](.+)[\"”'`](?: \(#\d+\))?\.?$", re.IGNORECASE
)
_ANY_FIX = regex(
    r"fix|\bbug|\bresolv|\bissue\b|regression|crash|leak|deadlock|\brac(?:e|y)\b|off[- ]by[- ]one|segfault|panic",
    re.IGNORECASE,
)
_FIX_WORD = regex(r"(?:hot|bug)?fix(?:e[sd]|ing)?\b[:!]?\s*", re.IGNORECASE)
_LATER_FIX = regex(
    r"(?:--|[:;,.]|\band)\s+(?:hot|bug)?fix(?:e[sd]|ing)?\b(?!\s+#?\d)\s*"  # ", fixes #12" may close a wish
    r"|\b(?:bug|regression)\b(?! (?:reports?|track|tests?|templ))\s*",
    re.IGNORECASE,
)
_TICKET = r"[(\[]?(?:[\w./-]*#|(?-i:[A-Z]{2,}-))?\d[\d-]*[)\]]?"  # #12, 12, name#12, CVE-2025-1, ABC-12
_TICKETS = regex(
    rf"(?:{_TICKET}(?:,? (?:and |&|refs )?{_TICKET})*)\s*(?:--|[-:.])?\s*", re.IGNORECASE, within=400
)
_REFERENCE = regex(rf"(?:refs?|closes|see)\b\.? {_TICKETS.pattern}", re.IGNORECASE, within=400)

# A ticket that is closed by adding something was a wish, not a fault.
_OTHER_WORK = regex(
    r"(?:add(?:ed|s|ing)?(?! missing)|doc(?:ument(?:ed)?|'d)?|deprecated?|removed?|dropp?(?:ed)?"
    r"|clarif(?:y|ied)|refactor(?:ed)?|renamed?|moved?|improved?|optimized?|simplif(?:y|ied)|confirm(?:ed)?"
    r"|updated?|allow(?:ed)?|enabled?|implement(?:ed)?|extend(?:ed)?|test(?:ed)?|mention(?:ed)?|support(?:ed)?|increased?"
    r"|introduced?|describ(?:e|ed)|emphasized?|discouraged?|tweak(?:ed)?|expand(?:ed)?|relax(?:ed)?|reduced?|better|revert(?:ed)?|load|run|record|performance|some improvements|made minor)\b",
    re.IGNORECASE,
)
# Repairs that change nothing a user runs. Where the commit's type says "fix", only the first list counts:
# whitespace, links and comments are then what the software handles.
_TYPO = (
    r"typos?|misspell\w*|spelling|grammar|punctuation|wording|(?:java|js|k|rust|scala|ts|r|php|go)?docs?|docblocks?|docstrings?"
    r"|documentation|readme|changelog|release notes?|lint|linter|linting|lints|clippy|eslint|flake8|golangci\S*|codespell"
    r"|formatting|code style|(?-i:CS)|flaky \w*|unused imports?|type (?:annotations?|hints?|inference)|(?:return|lib) types?|merge conflicts?"
    r"|(?:previous|last|prior) commit|(?:from|after|per|in) (?:code )?review\b|review(?: \w+)?$"
)
_UPKEEP = (
    r"comments?|pylint|pyright|ruff|isort|mypy|prettier|pep ?8|whitespaces?|indent\w*|sphinx|markup|licen[cs]e"
    r"|import order|(?:broken|dead|outdated) links?|tests|test (?:failures?|cases?|suite|names?)|test_\w+|ci"
    r"|build|workflows?|github actions?|(?:deprecation|compil\w+|\S*lint\S*) (?:\S+ )?warnings?|examples?|(?:annotations?|typings?)(?: \(#\d+\))?$"
    r"|`?clippy::\S+|(?:compiler |build )?warnings?(?: \(#\d+\))?$"
    r"|issue (?:form|template)s?|cargo-deny|coverage|benchmarks?|makefile|dockerfile|version number"
)
_TESTS = r"tests?(?! (?:client|runner|utils?|module|helpers?|framework|discovery|clock|server|command|mode))"
_FILES = r"[\w./-]+\.(?:md|rst|txt|adoc|ya?ml|toml)"
_TYPO_FIX = regex(rf"(?:[^\s:]+ ){{0,3}}?(?:{_TYPO})\b", re.IGNORECASE)
_COSMETIC = regex(
    rf"(?:[^\s:]+ ){{0,3}}?(?:(?:{_TYPO}|{_UPKEEP})\b|(?-i:[A-Z]\w*Tests?\b))"
    r"|.*\bin (?:the )?(?:\S+ ){0,3}(?:docs?|documentation|readme|changelog|comments?|docstrings?|examples|tests)\b"
    rf"|.*\bin {_FILES}(?:\s|$)"
    rf"|(?:.*\b(?:in|of|for) )?(?:(?:a|an|the|some|flaky|failing|broken) )+(?:\S+ ){{0,2}}{_TESTS}\b"
    rf"|.*\b{_TESTS}(?: (?:races?|failures?|timeouts?|suites?|cases?))?\.?(?: \(#\d+\))?$"
    r"|.*\bdocs/",
    re.IGNORECASE,
    within=400,
)

# What a quoted subject does not need: "PROJ-12: ", "Fixed #12, #13 -- ", " (#1234)", " [closes #12]", ":bug:".
_TICKET_PREFIX = regex(
    r"(?:(?i:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?)\s)?(?:#?\d+|(?!CVE-)[A-Z][A-Z\d]+(?:-\d+)+)(?:,\s#\d+)*\s*(?::|--?|–)\s*"
)
_BRACKETED_NUMBER = regex(
    r"(?:(?<!\s)\s++)?[(\[](?:[a-z]+:? )?(?:#|!|[a-z]+-)?\d+(?:,? (?:#|!|[a-z]+-)?\d+)*[)\]]", re.IGNORECASE
)
_EMOJI_CODE = regex(r":[a-z][a-z\d_+-]+:")
_EMOJI_JOINERS = frozenset("\ufe0f\u200d")


@lru_cache(maxsize=4096)
def is_bot(author: str, email: str) -> bool:
    """Whether a bot made the commit, judged by its name or the first part of its address."""
    return _BOT.search(author) is not None or _BOT.search(email.partition("@")[0]) is not None


def mentions_fix(subject: str) -> bool:
    """Whether a subject speaks of a fix or a fault at all."""
    return _ANY_FIX.search(subject[:300]) is not None


def reverted_subject(subject: str) -> str:
    """The subject of the commit that this one takes back; empty if it is no revert."""
    match = _REVERTED.match(subject)
    return match[1] if match else ""


def is_fix(subject: str) -> bool:
    """Whether a commit repairs a fault of the software: no typo, test or document, no ticket asking for more.

    A revert takes a change back for any reason, so it is not counted.
    """
    ticket = _STATED_TICKET.match(subject[:300])
    text = (
        f"fix{ticket[2] or ''} {_LEAD.sub('', subject[ticket.end() : 300], count=1)}"
        if ticket
        else subject[:300]
    )
    text = _LEAD.sub("", text, count=1)
    if _NOT_A_FIX.match(text):
        return False
    stated = _CONVENTIONAL.match(text)
    if stated:
        kind, scope = stated["type"].lower(), (stated["scope"] or "").lower()
        if kind in _OTHER_TYPES or kind in _TOOLS or (kind in _FIX_TYPES and scope in _OTHER_SCOPES):
            return False
        if kind in _FIX_TYPES:
            return not _TYPO_FIX.match(stated["rest"]) and not _REVERT.match(stated["rest"])
    text = _REFERENCE.sub("", text, count=1) if _REFERENCE.match(text) else text
    first = _FIX_WORD.match(text) or _RESOLVED.match(text)
    if first is None:
        return _is_later_fix(text)
    rest = text[first.end() :]
    tickets = _TICKETS.match(rest)
    if tickets:
        rest = rest[tickets.end() :]
        if _OTHER_WORK.match(rest):
            return False
    second = _FIX_WORD.match(rest)
    return not _COSMETIC.match(rest[second.end() :] if second else rest)


def _is_later_fix(text: str) -> bool:
    """Whether a subject that begins with something else turns out to be a fix."""
    scope = _SCOPE.match(text)
    said = text[scope.end() :] if scope else text
    if _OTHER_WORK.match(text) or _OTHER_WORK.match(said):
        return False
    if _CLOSED_TICKET.search(text) or _FAULT.match(text):
        return not _COSMETIC.match(said)
    later = _LATER_FIX.search(text)
    return later is not None and not _COSMETIC.match(text[later.end() :])


def quotable_subject(subject: str, max_chars: int) -> str:
    """A subject fit for a sentence: no emoji, type, ticket or number in brackets; cut at a word."""
    text = _BRACKETED_NUMBER.sub("", _EMOJI_CODE.sub("", subject[:300]))
    text = "".join(char for char in text if unicodedata.category(char) != "So" and char not in _EMOJI_JOINERS)
    text = _without_ticket(_LEAD.sub("", text, count=1))
    stated = _CONVENTIONAL.match(text)
    if stated and stated["type"].lower() in _FIX_TYPES | _OTHER_TYPES:
        text = _without_ticket(stated["rest"])
    text = " ".join(text.split()).rstrip(" .;:,")
    return cut_at_word(text or " ".join(subject.split()), max_chars)


def _without_ticket(text: str) -> str:
    ticket = _TICKET_PREFIX.match(text)
    return text[ticket.end() :] if ticket else text
