"""A review in every format, made of text that would like to be more than text."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from crimes.model.codec import encode
from crimes.model.sanitize import safe
from crimes.render import lines as lines_module
from crimes.render.escape import block_quote, code_span, escape_around_code, escape_line
from crimes.render.review import lines
from crimes.render.review_github import MAX_BODY_CHARS, payload, render
from crimes.render.review_markdown import markdown
from crimes.system.git_diff import Change, Difference
from crimes.workflows.review.assemble import assemble
from crimes.workflows.review.own import OwnReview
from crimes.workflows.review.policy import parse_threshold
from crimes.workflows.review.record import Record
from crimes.workflows.review.result import Review
from tests.kit.hostile_text import HOSTILE, is_clean
from tests.kit.paths import ROOT
from tests.kit.reviews import given, raw, record

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MEAN = (
    *HOSTILE,
    "@octocat @org/team hello@example.org",
    "see #12, GH-7, owner/repo#3 and deadbeef1",
    "http://e.org www.e.org mailto:a@b ftp://x",
    "<!-- hidden --> <img src=x onerror=alert(1)> <details>",
    "```\nfence\n```",
    "~~~\nfence",
    "````suggestion\nevil()\n````",
    "# heading\n## another",
    "text\n===\nmore\n---",
    "- item\n+ item\n* item\n1. one\n2) two",
    "> quote\n> [!WARNING]\n> text",
    "| a | b |\n|---|---|\n| c | d |",
    "a\n:-",
    "    indented code",
    "**bold** __bold__ *it* _it_ ~~no~~ `code` ``co`de``",
    "[link](javascript:alert(1)) ![img](x) [ref][1] [^1]\n\n[1]: http://e.org",
    "&lt; &copy; &#64; \\@x \\",
    "$x^2$ $`y`$ :smile: :+1:",
    "line  \nbreak\\\nbreak",
    "\\`not code\\`",
    "`@octocat",
    "@` <b>",
    "|",
    "x" * 25_000,
    "\n" * 50 + "a" + "\n" * 5_000 + "b",
)


def review(*records: dict[str, Any], own: tuple[Record, ...] = (), diff: Difference | None = None) -> Review:
    return assemble(given(*records), diff, OwnReview(tuple(own)), parse_threshold("moderate"), 5)


def hostile_review(text: str) -> Review:
    """A review with the text wherever a stranger can put it, in every list."""
    fields = {"title": text[:300], "message": text[:20_000], "id": text[:200], text[:50] or "x": 1}
    path = text.replace("\0", "")[:100].strip("/~. \\") or "x"
    safe_path = path if not re.match(r"[A-Za-z]:", path) and ".." not in path else "x.py"
    base = {**fields, "file": safe_path}
    made = (
        raw(**base),
        raw(**base, verdict="LIKELY", evidence_strength="speculative", drafter_severity="low"),
        raw(**base, verdict="DISMISSED", category="security"),
        raw(**base, in_diff=False),
        raw(**base, line=text[:300]),
    )
    given_ones = given(*made)
    return assemble(given_ones, None, OwnReview(warnings=(text,)), parse_threshold("moderate"), 5)


def as_json_text(text: str) -> str:
    """The text as JSON input can hold it."""
    return text.encode("utf-8", "replace").decode()


def tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for token in PARSER.parse(text):
        found.append(token)
        found.extend(token.children or ())
    return found


HARMLESS = {
    "paragraph_open",
    "paragraph_close",
    "inline",
    "text",
    "text_special",
    "softbreak",
    "code_inline",
}


def rendered(text: str) -> str:
    """What a reader sees of a line of markdown, when it is nothing but text and code spans."""
    shown = ""
    for token in tokens(text):
        assert token.type in HARMLESS, token.type
        shown += " " if token.type == "softbreak" else token.content if token.type != "inline" else ""
    return shown


# A single text.


@pytest.mark.parametrize("text", MEAN, ids=lambda text: ascii(text[:30]))
def test_example_line_renders_as_written(text: str) -> None:
    shown = rendered(escape_line(text, 100_000))
    assert shown.split() == safe(text).strip().split()


@examples(st.text(alphabet=st.sampled_from("ab1 `*_[]()<>&|~#@$:!\\-+=.>/wGH\n\t"), max_size=40))
def test_any_line_renders_as_written(text: str) -> None:
    assert rendered(escape_line(text, 1000)).split() == safe(text).strip().split()


@examples(st.text(max_size=60))
def test_a_code_span_holds_its_text(text: str) -> None:
    spans = [token for token in tokens(f"x {code_span(text)} y") if token.type == "code_inline"]
    assert [span.content.strip() for span in spans] == [safe(text).strip()]


@pytest.mark.parametrize("text", MEAN, ids=lambda text: ascii(text[:30]))
def test_a_quote_stays_a_quote(text: str) -> None:
    shown = "\n".join(block_quote(text, 6_000))
    allowed = HARMLESS | {"blockquote_open", "blockquote_close"}
    assert {token.type for token in tokens(shown)} <= allowed
    assert len(shown) < 40_000


@pytest.mark.parametrize(
    "text",
    [
        "@octocat",
        "(@octocat)",
        "x@y.z",
        "#12",
        "a/b#1",
        "GH-3",
        "http://x",
        "www.x.y",
        "deadbee",
        ":x:",
        "$a$",
    ],
)
def test_text_a_host_would_link_becomes_code(text: str) -> None:
    (span,) = [token for token in tokens(f"see {escape_line(text, 99)} there") if token.type == "code_inline"]
    assert span.content == text


def test_names_in_our_own_sentences_are_code() -> None:
    assert escape_around_code("`a_b` has *two* `@x` parts", 99) == "`a_b` has \\*two\\* `@x` parts"


# Whole reviews.


@pytest.mark.parametrize("text", MEAN, ids=lambda text: ascii(text[:30]))
def test_hostile_text_adds_no_structure_to_markdown_and_body(text: str) -> None:
    made, plain = hostile_review(as_json_text(text)), hostile_review("x")
    forbidden = {"html_block", "html_inline", "image", "link_open", "fence", "code_block", "table_open", "hr"}
    for view in (markdown, lambda made: payload(made).body):
        shown, harmless = view(made), view(plain)
        assert is_clean(shown)
        assert not forbidden & {token.type for token in tokens(shown)}
        heads = [re.findall("^#+ .*", part, re.MULTILINE) for part in (shown, harmless)]
        assert heads[0] == heads[1]
        words = [token.content for token in tokens(shown) if token.type == "text"]
        assert not any("@" in word for word in words)


@pytest.mark.parametrize("text", MEAN, ids=lambda text: ascii(text[:30]))
def test_the_console_stays_clean_and_its_places_stand_out(text: str) -> None:
    made = hostile_review(as_json_text(text))
    for shown in (lines_module.plain(lines(made)), lines_module.terminal(lines(made), 100, color=False)):
        assert is_clean(shown)
        rows = [row for row in shown.splitlines() if re.match(r"  \S", row)]
        places = [row for row in rows if not row.startswith("  - finding[4] ")]
        assert len(places) == 4  # everything of a stranger's own is indented deeper, or written out


@pytest.mark.parametrize("text", MEAN, ids=lambda text: ascii(text[:30]))
def test_json_holds_the_text_and_is_valid(text: str) -> None:
    text = as_json_text(text)
    data = encode(hostile_review(text))
    assert is_clean(data.decode())
    made = json.loads(data)
    jsonschema.validate(made, json.loads((ROOT / "docs" / "review.schema.json").read_text("utf-8")))
    assert made["inline"][0]["message"] == text[:20_000]
    assert made["skipped"][0]["record"] == 4


# The body of the REST call.

DIFF = Difference("c" * 40, {"a.py": Change("a.py", "a.py", shown=(range(3, 9),), added=(range(4, 6),))})
SCHEMA = {
    "type": "object",
    "required": ["event", "body", "comments"],
    "additionalProperties": False,
    "properties": {
        "event": {"const": "COMMENT"},
        "body": {"type": "string", "minLength": 1, "maxLength": 65_536},
        "comments": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["path", "line", "side", "body"],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string", "minLength": 1},
                    "line": {"type": "integer", "minimum": 1},
                    "side": {"const": "RIGHT"},
                    "body": {"type": "string", "minLength": 1, "maxLength": 65_536},
                },
            },
        },
    },
}


def own_record(**changes: Any) -> Record:
    return replace(record(), number=None, drafter=None, message="`f` does too much.", id="abc123", **changes)


def test_comments_stand_on_lines_of_the_diff_only() -> None:
    records = [raw(file="a.py", line=line) for line in range(1, 12)] + [raw(file="b.py", line=4)]
    made = assemble(given(*records), DIFF, OwnReview(), parse_threshold("weak"), 99)
    sent = json.loads(render(made))
    jsonschema.validate(sent, SCHEMA)
    assert [comment["line"] for comment in sent["comments"]] == [3, 4, 5, 6, 7, 8]
    assert {comment["path"] for comment in sent["comments"]} == {"a.py"}


def test_own_findings_off_the_diff_go_into_the_body() -> None:
    made = review(
        raw(file="a.py", line=4), own=(own_record(placed=False), own_record(placed=True, line=5)), diff=DIFF
    )
    sent = payload(made, "sub/")
    assert [(comment.path, comment.line) for comment in sent.comments] == [
        ("sub/a.py", 4),
        ("sub/pkg/app/handler.go", 5),
    ]
    assert "## Not on a line of the diff\n\n- `pkg/app/handler.go:42`" in sent.body
    assert "`f` does too much." in sent.comments[1].body


def test_a_file_whose_name_json_cannot_hold_is_not_commented_on() -> None:
    made = review(own=(own_record(placed=True, file="caf\udce9.py"),), diff=DIFF)
    sent = payload(made)
    assert sent.comments == ()
    assert "`caf\\xe9.py:42`" in sent.body
    json.loads(render(made))


def test_dropped_text_is_not_posted() -> None:
    hidden = {"title": "SECRETWORD", "file": "a.py", "line": 4}
    made = review(raw(**hidden, verdict="DISMISSED"), raw(**hidden, in_changed_code=False), diff=DIFF)
    assert b"SECRETWORD" not in render(made)
    assert "SECRETWORD" not in markdown(made)
    assert b"SECRETWORD" in encode(made)


def test_dismissed_security_records_are_shown_to_audit_everywhere() -> None:
    dismissed = raw(
        file="a.py",
        line=4,
        title="Open door",
        message="It leads out.",
        verdict="DISMISSED",
        category="security",
    )
    made = review(dismissed, diff=DIFF)
    for text in (payload(made).body, markdown(made), lines_module.plain(lines(made))):
        for part in ("a.py:4", "Open door", "It leads out.", "audit"):
            assert part in text, (part, text)


@pytest.mark.parametrize(
    ("records", "word"),
    [
        ([], "approve"),
        ([{"verdict": "LIKELY", "evidence_strength": "speculative", "verifier_severity": "low"}], "approve"),
        ([{}], "comment"),
        ([{"category": "security"}], "comment"),
    ],
)
def test_assessment_is_a_label_in_every_output(records: list[dict[str, str]], word: str) -> None:
    made = review(*(raw(**record) for record in records))
    assert made.assessment == word
    sent = payload(made)
    for text in (sent.body, markdown(made), lines_module.plain(lines(made))):
        assert f"{word.capitalize()}. " in text
    assert sent.event == "COMMENT"  # a vote is up to a person


def test_body_is_cut_at_its_limit() -> None:
    records = [raw(verdict="LIKELY", evidence_strength="speculative", message="m" * 5000) for _ in range(40)]
    body = payload(review(*records, diff=None)).body
    assert MAX_BODY_CHARS - 7_000 < len(body) < MAX_BODY_CHARS + 1_000
    assert re.search(r"\n\d+ more did not fit here\.$", body)


def test_comment_is_cut_at_its_limit() -> None:
    made = review(raw(file="a.py", line=4, message="\U000e0041" * 20_000), diff=DIFF)
    assert len(payload(made).comments[0].body) < 65_536


def test_an_empty_review_has_a_body() -> None:
    sent = json.loads(render(review(diff=DIFF)))
    jsonschema.validate(sent, SCHEMA)
    assert sent["comments"] == []


def test_a_review_is_the_same_every_time() -> None:
    records = [raw(line=line, title=str(line)) for line in (5, 3, 9, 3)]
    assert encode(review(*records)) == encode(review(*records))
