"""Facts of documents: what is mentioned, where, and in which words around it."""

from __future__ import annotations

import pytest

from crimes.languages.markdown.read import MAX_BYTES, read_markdown


def mentions(text: str) -> list[tuple[str, int, str]]:
    return [(item.text, item.line, item.kind) for item in read_markdown(text.encode()).mentions]


def test_code_spans_and_local_links_with_their_lines() -> None:
    text = "\n".join(
        [
            "# The `core` module",
            "",
            "See `src/a.py` and",
            "[the guide](docs/guide.md#setup), or",
            "`src/b.py`.",
            "",
            "- item with ``src/`c`.py``",
            "",
            "| file | what |",
            "|---|---|",
            "| `one.ts` | first |",
            "| `two.ts` | ![a picture](img/two%20b.png) |",
        ]
    )
    assert mentions(text) == [
        ("core", 1, "code"),
        ("src/a.py", 3, "code"),
        ("docs/guide.md#setup", 4, "link"),
        ("src/b.py", 5, "code"),
        ("src/`c`.py", 7, "code"),
        ("one.ts", 11, "code"),
        ("two.ts", 12, "code"),
        ("img/two b.png", 12, "link"),
    ]


def test_a_code_span_that_wraps_does_not_shift_the_lines_after_it() -> None:
    assert mentions("run `make\nall` then\n`make test`\n") == [
        ("make all", 1, "code"),
        ("make test", 3, "code"),
    ]


def test_links_that_leave_the_repository_are_not_mentions() -> None:
    text = "[a](https://example.org/x.md) [b](#here) [c](mailto:x@example.org) [d](//host/x) [e]() <https://x.org>"
    assert mentions(text) == []


def test_a_reference_link_is_followed_to_its_definition() -> None:
    assert mentions("Read [the rules][r].\n\n[r]: docs/rules.md\n") == [("docs/rules.md", 1, "link")]


def test_every_line_of_a_shell_block_is_a_command() -> None:
    text = "\n".join(
        [
            "```bash",
            "# install",
            "make setup   # once",
            "",
            "docker run \\",
            "  --rm image",
            "cat > file <<'EOF'",
            "make not_a_command",
            "EOF",
            "make test",
            "```",
        ]
    )
    assert mentions(text) == [
        ("make setup   # once", 3, "command"),
        ("docker run --rm image", 5, "command"),
        ("cat > file <<'EOF'", 7, "command"),
        ("make test", 10, "command"),
    ]


def test_where_lines_have_prompts_the_others_are_output() -> None:
    text = "```console\n$ make list\nmake all\n$ make all\n```\n\n```\n$ ./run.sh\n./other.sh\n```\n"
    assert mentions(text) == [
        ("make list", 2, "command"),
        ("make all", 4, "command"),
        ("./run.sh", 8, "command"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```python\nopen('src/a.py')\n```\n",
        "```\nsrc/a.py\nmake all\n```\n",
        "    make all\n    `src/a.py`\n",
        "<!-- see `src/a.py` and [x](src/b.py) -->\n",
        "<div>\n`src/a.py`\n</div>\n",
        "---\nglobs: `src/a.py`\n---\n",
    ],
    ids=["other language", "no language", "indented block", "comment", "html block", "front matter"],
)
def test_code_blocks_and_other_text_yield_no_mentions(text: str) -> None:
    assert mentions(text) == []


def test_front_matter_does_not_shift_lines() -> None:
    text = "---\ndescription: rules\nglobs: '*.ts'\n---\n\nUse `src/a.ts`.\n"
    assert mentions(text) == [("src/a.ts", 6, "code")]


def test_context_is_the_heading_the_lead_and_the_block() -> None:
    text = "## New plugins\n\nCreate these files:\n\n- the `plugins/x.py` module\n\nThen run `make all`.\n"
    first, second = read_markdown(text.encode()).mentions
    assert first.context == "New plugins\nCreate these files:\nthe `plugins/x.py` module"
    assert second.context == "New plugins\nThen run `make all`."


def test_a_fence_has_the_paragraph_before_it_as_context() -> None:
    (item,) = read_markdown(b"# Use\n\nFor example:\n\n```sh\nmake all\n```\n").mentions
    assert item.context == "Use\nFor example:"


def test_lines_are_counted_as_an_editor_does() -> None:
    assert read_markdown(b"").lines == 0
    assert read_markdown(b"a\nb").lines == 2
    assert read_markdown(b"a\r\nb\r\n").lines == 2


@pytest.mark.parametrize(
    "source",
    [
        b"\xff\xfe\x00`\x80a.py`",
        "\ufeff`a.py`".encode(),
        b"[" * 20_000 + b"`a.py`",
        b"> " * 5_000 + b"`a.py`",
        b"- " * 5_000 + b"`a.py`",
        b"```sh\nmake all \\",
        b"```sh\ncat <<EOF\nnever closed",
        b"---\nnever closed",
        b"| `a` |\n|-|\n" * 1_000,
        b"\0\r\r\n\x0b\x0c\xc2\x85`a.py`",
    ],
)
def test_hostile_input_gives_facts(source: bytes) -> None:
    assert read_markdown(source).language == "markdown"


def test_text_beyond_the_size_limit_is_not_read() -> None:
    source = b"`first.py`\n\n" + b"word\n" * (MAX_BYTES // 5) + b"\n`last.py`\n"
    assert [item.text for item in read_markdown(source).mentions] == ["first.py"]


def test_code_quotes_as_the_text_of_a_link_are_not_a_second_mention() -> None:
    text = "[`a.py`](https://example.org/a.py) and [`b.py`](src/b.py) and `c.py`"
    assert mentions(text) == [("src/b.py", 1, "link"), ("c.py", 1, "code")]


def test_lines_are_right_after_a_hard_break() -> None:
    assert mentions("first  \n[x](a.md)\\\n`b.md`\n") == [("a.md", 2, "link"), ("b.md", 3, "code")]


def test_comments_are_read_where_they_stand_and_nowhere_in_code() -> None:
    text = "\n".join(
        [
            "# A",
            "<!-- one",
            "more -->",
            "",
            "Text <!-- two --> and",
            "text <!-- three -->.",
            "",
            "`<!-- code -->`",
            "",
            "```html",
            "<!-- fence -->",
            "```",
            "",
            "- item",
            "",
            "  <!-- never closed",
        ]
    )
    found = [
        (item.text, item.line, item.end, item.own_line) for item in read_markdown(text.encode()).comments
    ]
    assert found == [
        ("<!-- one\nmore -->", 2, 3, True),
        ("<!-- two -->", 5, 5, False),
        ("<!-- three -->", 6, 6, False),
        ("<!-- never closed", 16, 16, True),
    ]


def test_comment_that_is_repeated_has_the_line_of_each_place() -> None:
    facts = read_markdown(b"a <!-- x -->\nb\nc <!-- x --> <!-- y -->\n")
    assert [(comment.text, comment.line) for comment in facts.comments] == [
        ("<!-- x -->", 1),
        ("<!-- x -->", 3),
        ("<!-- y -->", 3),
    ]
