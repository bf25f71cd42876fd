"""What a document mentions: code spans, local links, and the lines of its shell blocks; and its hidden comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from crimes.model.facts import Comment, FileFacts, Mention
from crimes.model.lazy_regex import regex
from crimes.model.line_counter import LineCounter

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_SEARCHES = 50  # of a block from end to end, for parts that are not in it as they were written
MAX_BYTES = 500_000  # no instructions are this long; more would only cost time
CONTEXT_CHARS = 200  # of a block, on either side of a mention

SCRIPT_LANGUAGES = frozenset({"bash", "sh", "shell", "zsh"})  # every line is a command
SESSION_LANGUAGES = frozenset(
    {"console", "shell-session", "shellsession", "terminal", ""}
)  # commands have a prompt
PROMPT = regex(r"^\s*[$%❯➜]\s+(?=\S)")
HEREDOC = regex(r"<<-?\s*['\"]?(\w+)")
FRONT_MATTER = regex(r"\A---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")
COMMENT = regex(r"<!--.*?(?:-->|\Z)", re.DOTALL)
NOT_LOCAL = regex(r"[a-z][a-z0-9+.-]*:|//|#|\Z", re.IGNORECASE)  # a scheme, a host, an anchor, nothing


def read_markdown(source: bytes) -> FileFacts:
    """The mentions and comments of one document. Comments, indented blocks and fences of other languages mention nothing."""
    from markdown_it import MarkdownIt  # only documents need it

    text = source[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.count("\n") + (not text.endswith("\n") and text != "")
    text = FRONT_MATTER.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
    parser = MarkdownIt("commonmark").enable("table").disable("inline")
    links: dict[str, object] = {}
    tokens = parser.parse(text, links)
    for token in tokens:
        if token.type == "inline" and re.search(r"[`\]]|<!--", token.content):  # most blocks have none
            token.children = []
            parser.inline.parse(token.content, parser, links, token.children)
    comments = tuple(_comments(tokens))
    return FileFacts("markdown", lines, 0, "", comments=comments, mentions=tuple(_mentions(tokens)))


def _comments(tokens: Sequence[Token]) -> Iterator[Comment]:
    """HTML comments, in order; one that is never closed ends with its block."""
    for token in tokens:
        if not token.map:
            continue
        if token.type == "html_block":
            comments = [(match[0], match.start()) for match in COMMENT.finditer(token.content)]
        elif token.children:
            inline = (child.content for child in token.children if child.type == "html_inline")
            comments = _placed((text for text in inline if text.startswith("<!--")), token.content)
        else:
            continue
        line, last = token.map[0] + 1, 0
        for text, start in comments:
            between = token.content[last:start]  # the comment before it included
            line, last = line + between.count("\n"), start
            alone = not between.rpartition("\n")[2].strip()
            yield Comment(line, line + text.count("\n"), text.rstrip(), own_line=alone, doc=False)


def _placed(texts: Iterable[str], content: str) -> list[tuple[str, int]]:
    """Parts of a text that follow each other in it, and where each begins."""
    placed, at = [], 0
    for text in texts:
        start = max(content.find(text, at), at)
        placed.append((text, start))
        at = start + len(text)
    return placed


def _mentions(tokens: Sequence[Token]) -> Iterator[Mention]:
    """Mentions in order. The context of a list or a fence is the heading and the paragraph before it."""
    heading = lead_in = inside = ""
    top = 0
    for token in tokens:
        if token.map:
            top = token.map[0]
        if token.type.endswith("_open"):
            inside = token.type
        elif token.type == "fence":
            yield from _commands(token, top, _join_lines(heading, lead_in))
        elif token.type == "inline":
            text, paragraph = _one_line(token.content), token.level == 1
            if inside == "heading_open":
                heading, lead_in = text, ""
            yield from _inline(token, top, heading if paragraph else _join_lines(heading, lead_in))
            if inside != "heading_open" and (paragraph or text.endswith(":")):
                lead_in = text


def _inline(block: Token, top: int, before: str) -> Iterator[Mention]:
    """Code spans and links of one paragraph, heading or table cell, each on its own line."""
    flat = block.content.replace("\n", " ")  # the parser joins lines in a code span; offsets stay
    lines, offset = LineCounter(block.content, top + 1), 0
    left = MAX_SEARCHES * len(flat)
    in_link = False
    for child in block.children or ():
        if child.type in ("softbreak", "hardbreak"):
            offset = max(offset, block.content.find("\n", offset) + 1)
        elif child.content and left > 0:
            start = flat.find(child.content, offset)
            left -= (start if start >= 0 else len(flat)) - offset
            offset = max(offset, start)
        if child.type in ("link_open", "link_close"):
            in_link = child.type == "link_open"
        if child.type == "code_inline" and not in_link:  # the link target decides, not its text
            text, kind = child.content.strip(), "code"
        elif child.type in ("link_open", "image"):
            text, kind = unquote(str(child.attrGet("href") or child.attrGet("src") or "")), "link"
            if NOT_LOCAL.match(text):
                continue
        else:
            continue
        around = _one_line(flat[max(0, offset - CONTEXT_CHARS) : offset + CONTEXT_CHARS])
        yield Mention(text, lines.line(offset), kind, _join_lines(before, around))


def _commands(fence: Token, top: int, context: str) -> Iterator[Mention]:
    """The commands of a shell block. Where some lines have a prompt, the others are output."""
    language = fence.info.strip().split(" ")[0].strip("{.}").lower()
    lines = fence.content.split("\n")
    prompted = any(map(PROMPT.match, lines))
    if not (language in SCRIPT_LANGUAGES or (language in SESSION_LANGUAGES and prompted)):
        return
    command, first, until = "", 0, ""
    for number, line in enumerate(lines, top + 2):  # the fence itself is the line before
        if until:
            until = "" if line.strip() == until else until
            continue
        if not command:
            if prompted and not PROMPT.match(line):
                continue
            first = number
        command += PROMPT.sub("", line).strip()
        if command.endswith("\\"):
            command = command[:-1].rstrip() + " "
            continue
        if command and not command.startswith("#"):
            yield Mention(command, first, "command", context)
        heredoc = HEREDOC.search(command)
        until = heredoc[1] if heredoc else ""
        command = ""


def _one_line(text: str) -> str:
    return " ".join(text.split())[: 2 * CONTEXT_CHARS]


def _join_lines(*parts: str) -> str:
    return "\n".join(filter(None, parts))
