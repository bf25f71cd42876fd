"""A comment says that its writer did not understand the code, or an instruction file states a guess.

In comments it looks for words such as "not sure why", "no idea why", "I don't know what this", together with what goes wrong or is needed. In instruction files (AGENTS.md, CLAUDE.md,
rules files) it also reports other guesses ("I think", "I suspect", "hopefully", "this should work") and two sentences that say
the opposite of each other, word for word. `crimes claims FILE` looks for much more in any one text; in comments all the rest
was noise.

## Why it matters

"Not sure why this is needed" marks code that nobody understood when it was written: whoever edits it next cannot tell what has to stay. A
coding agent takes a written guess as a fact.

## What to do

Check the guess with a test, a debugger or the history of the line, then state what is true. Where it cannot be settled, say what
the code assumes and what breaks otherwise.

## Before

```python
def total(prices):
    if not prices:
        return 0
    # Not sure why the first one counts twice here.
    return sum(prices) + prices[0]
```

## After

```python
def total(prices):
    if not prices:
        return 0
    # The deposit equals the first price: test_total_includes_the_deposit.
    return sum(prices) + prices[0]
```

## What it accepts

- In comments: questions, opinions ("I think this is cleaner"), hopes and plans ("hopefully we can drop this").
- What a user or a caller is not sure of, and what a compiler, a linter or another author does.
- Quoted words and code in comments; docstrings.
- Tests, examples and scripts.
- A path or a symbol beside the guess, if it exists, lowers the confidence. It never fails a gate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crimes.api import (
    ANY,
    CLAIMS,
    NAMES,
    Category,
    Claim,
    Comment,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    FileFacts,
    Finding,
    Function,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    cut_at_word,
    holds_a_guess,
    may_hold_a_guess,
    per_file,
    regex,
)

INSTRUCTIONS = regex(
    r"(^|/)((AGENTS|CLAUDE|GEMINI|copilot-instructions)\.md|\.(cursor|windsurf|cline)rules"
    r"|\.cursor/rules/.+\.mdc?|\.github/instructions/.+\.md)$"
)
COMMENT_START = regex(r"^\s*(?:/\*+!?|\*+(?!/)|//+!?|#+!?|--+|<!--)? ?", re.MULTILINE)
COMMENT_END = regex(r"\s*(?:\*+/|-->)\s*$")
DIRECTIVE = regex(r"@ts-(?:expect-error|ignore)\b[ :-]*")
TEST_SUPPORT = regex(
    r"(^|/)(testing|test[-_]?(utils?|helpers?|support)|mocks?|__mocks__|fixtures?)/", re.IGNORECASE
)
DOC_COMMENT_STARTS = ("/**", "///", "//!", "/*!")  # written for callers
# Of what a comment admits, only this was worth knowing: nobody understood the code when it was written.
PUZZLED = regex(
    r"(?i:\b(?:(?:not|n't) (?:really |quite |entirely )?sure|unsure|no (?:idea|clue)|(?:don't|do not) (?:really )?(?:know|understand))"
    r" (?:exactly )?(?:why\b|(?:what|how) (?:this|that|it)\b))"
)
# What goes wrong, or has to be there without a known reason; not what a tool or another author does.
HARM = regex(
    r"(?i:\b(?:work(?:s|ed|ing)?|need(?:s|ed)?|necessary|required|otherwise|fails?|failing|errors?|crash\w*|breaks?|broken|throws?|hangs?"
    r"|pass(?:es)?|fired?|twice|wrong|bug|leaks?|freez\w*|flicker\w*)\b)"
)
OTHERS = regex(
    r"(?i:\bwould (?:fail|want|be)\b|\b(?:typescript|tsc|pylint|mypy|pyright|eslint|clippy|lint\w*|compiler|infer\w*|types?|typesafety"
    r"|derive|author|someone|anyone|people)\b)"
)
MAX_QUOTE_CHARS = 160
MAX_RELATED = 5


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding | Excused]:
    claims, names = scan[CLAIMS], scan[NAMES]
    comments = {path: guesses for path, guesses in scan[GUESSES].items() if not TEST_SUPPORT.search(path)}
    documents = {
        path: names.text(path)
        for path, file in scan.repo.files.items()
        if file.role is Role.DOCS and INSTRUCTIONS.search(path)
    }
    parsed = claims.read((text for guesses in comments.values() for _, text in guesses), documents.values())
    for path, guesses in comments.items():
        claimed = [(line, claims.in_comment(path, parsed[text])) for line, text in guesses]
        yield from comment_findings(scan.repo.files[path], claimed)
    for path, text in documents.items():
        for claim in claims.in_document(path, parsed[text]):
            yield report(claim, Place(path, claim.line, claim.line), "This document")


def guesses_in(facts: FileFacts) -> tuple[tuple[int, str], ...]:
    """The comments of a file that contain a guess: line and text."""
    if not may_hold_a_guess("\n".join([comment.text for comment in facts.comments if not comment.doc])):
        return ()
    comments = (comment for comment in joined(facts.comments) if may_hold_a_guess(comment.text))
    texts = ((comment.line, without_markers(comment.text)) for comment in comments)
    return tuple((line, text) for line, text in texts if holds_a_guess(text))


GUESSES = per_file(
    "unverified_claim.guesses", tuple[tuple[int, str], ...], guesses_in, frozenset({Role.SOURCE})
)


def comment_findings(file: File, claimed: list[tuple[int, tuple[Claim, ...]]]) -> Iterator[Finding | Excused]:
    """One finding for the first guess of each comment; repeated words are reported once, at the first."""
    by_sentence: dict[str, list[tuple[Claim, Place]]] = {}
    for first, claims in claimed:
        for claim in claims[:1]:
            line = first + claim.line - 1
            if not is_puzzled(claim.sentence):
                yield Excused(
                    Place(file.path, line, line),
                    f"“{claim.evidence}” does not say that the code is not understood",
                )
                continue
            function = function_around(file, line)
            if not (function and function.is_test):
                place = Place(file.path, line, line, function.qualname if function else "")
                by_sentence.setdefault(claim.sentence, []).append((claim, place))
    for (claim, place), *more in by_sentence.values():
        yield report(claim, place, "A comment", tuple(other for _, other in more))


def is_puzzled(sentence: str) -> bool:
    """Whether nobody knew why the code has to be as it is."""
    puzzled = PUZZLED.search(sentence) and HARM.search(sentence)
    return puzzled is not None and not OTHERS.search(sentence)


def joined(comments: tuple[Comment, ...]) -> Iterator[Comment]:
    """Comments, with those on consecutive lines joined; without documentation for callers."""
    rows: list[Comment] = []
    for item in comments:
        if item.doc or item.text.lstrip().startswith(DOC_COMMENT_STARTS):
            continue
        if rows and not (item.own_line and rows[-1].own_line and item.line == rows[-1].end + 1):
            yield join(rows)
            rows = []
        rows.append(item)
    if rows:
        yield join(rows)


def join(rows: list[Comment]) -> Comment:
    text = "\n".join(row.text for row in rows)
    return Comment(rows[0].line, rows[-1].end, text, rows[0].own_line, doc=False)


def without_markers(comment: str) -> str:
    """A comment without its markers, on the same number of lines."""
    return DIRECTIVE.sub("", COMMENT_START.sub("", COMMENT_END.sub("", comment)))


def function_around(file: File, line: int) -> Function | None:
    """The innermost function a line is in."""
    inside = (function for function in file.facts.functions if function.start <= line <= function.end)
    return max(inside, key=lambda function: (function.start, -function.end), default=None)


def report(claim: Claim, place: Place, where: str, repeated: tuple[Place, ...] = ()) -> Finding:
    quoted = cut_at_word(claim.sentence, MAX_QUOTE_CHARS).rstrip(".")
    related = tuple(Related(other, "the same words") for other in repeated)
    if claim.denies_line:
        related = (Related(Place(place.path, claim.denies_line, claim.denies_line), "the opposite"),)
        fact = f"{where} says “{quoted}”, and line {claim.denies_line} says the opposite."
        why, fix = (
            "Whoever follows one of the two sentences breaks the other.",
            "Keep the sentence that is true.",
        )
    else:
        places = f" in {1 + len(repeated)} places" if repeated else ""
        fact, why, fix = f"{where} admits to a guess{places}: “{quoted}”.", "", ""
    reason = f"“{claim.evidence}”: {claim.kind.replace('_', ' ')}"
    return Finding(
        place,
        Severity.LOW,
        fact,
        (Signal("claims", Category.DOCS, claim.confidence, reason),),
        evidence={"words": Measure(claim.evidence), "places": Measure(1 + len(repeated))},
        related=related[:MAX_RELATED],
        discriminator=" ".join(re.findall(r"\w+", claim.sentence.lower())),
        why=why,
        fix=fix,
    )


DETECTOR = Detector(
    id="unverified_claim",
    title="Unverified claim",
    category="agents",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    needs=(CLAIMS, NAMES),
    in_each_file=(GUESSES,),
    gates=False,
    detect=detect,
    examples=(
        Example(
            "a line that nobody understood",
            {
                "shop/cart.py": "def total(prices):\n    # Not sure why the first one counts twice here.\n"
                "    return sum(prices) + prices[0]\n",
            },
            ("shop/cart.py:2",),
            severity=Severity.LOW,
        ),
        Example(
            "code that was not understood in TypeScript, on the second line of a comment",
            {
                "src/cart.ts": "export function total(prices: number[]) {\n  // The server rounds as well,\n"
                "  // but I have no idea why it needs to round up.\n  return prices.length;\n}\n",
            },
            ("src/cart.ts:3",),
        ),
        Example(
            "silent on guesses, hopes and remarks in comments",
            {
                "shop/lock.py": "def lock(name):\n    take(name)  # hopefully nobody else holds it\n",
                "src/cart.ts": "// I think this is always a whole number (no idea what's in other carts).\nexport const total = 1;\n",
            },
        ),
        Example(
            "an instruction file that guesses, and one that contradicts itself",
            {
                "AGENTS.md": "# Rules\n\nI think every worker has its own cache.\n",
                "app/CLAUDE.md": "Workers share the cache.\n\n## Later\n\nWorkers do not share the cache.\n",
            },
            ("AGENTS.md:3", "app/CLAUDE.md:5"),
        ),
        Example(
            "silent on what others do, and on remarks without consequence",
            {
                "shop/cart.py": "# Not sure why mypy complains about the types here.\nA = 1\n\n# No idea why anyone would want a second cart.\nB = 1\n\n"
                "# Not sure why this is a list.\nC = []\n"
            },
        ),
        Example(
            "silent on a plain reason",
            {"shop/cart.py": "LIMIT = 3  # the gateway refuses more, probably because of its buffer\n"},
        ),
        Example(
            "silent in tests",
            {
                "tests/test_cart.py": "def test_total():\n    # I think this is enough.\n    assert total([1]) == 2\n"
            },
        ),
        Example(
            "silent on questions, opinions and plans",
            {
                "shop/cart.py": "# Should this be a set? I think we should use one.\nA = 1\n\n"
                "# I think it is cleaner that way, and a set is more readable.\nB = 1\n\n"
                "# Hopefully we can drop this with Python 4.\nC = 1\n",
            },
        ),
        Example(
            "silent on what a user is not sure of",
            {"shop/cart.py": "# Shown when users are not sure what to buy.\nHELP = 'help'\n"},
        ),
        Example(
            "silent on words that are only quoted",
            {"shop/parse.py": '# Removes `I think` and "hopefully" from answers.\nWORDS = 2\n'},
        ),
        Example(
            "silent in documentation for callers",
            {
                "shop/cart.py": 'def total(prices):\n    """I think this adds them up."""\n    return sum(prices)\n',
                "src/cart.ts": "/** This should work with any currency. */\nexport const cart = 1;\n",
            },
        ),
    ),
)
