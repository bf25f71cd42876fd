"""The sections of a detector's documentation: Markdown with `## ` headings and fenced code."""

from __future__ import annotations

from functools import cache

_FENCE = "```"


@cache
def doc_sections(doc: str) -> dict[str, tuple[str, ...]]:
    """Paragraphs, list items and fenced blocks by heading; those before the first heading have the empty one."""
    sections: dict[str, list[str]] = {"": [""]}
    blocks, fenced = sections[""], False
    for row in doc.strip().splitlines():
        text = row.strip()
        if fenced or text.startswith(_FENCE):
            if not fenced:
                blocks.append(text)
            else:
                blocks[-1] += f"\n{row}"
            if text.startswith(_FENCE):
                fenced = not fenced
                blocks.extend(() if fenced else ("",))
        elif text.startswith("## "):
            blocks = sections.setdefault(text[3:], [""])
        elif not text or text.startswith("- "):
            blocks.append(text)
        else:
            blocks[-1] = f"{blocks[-1]} {text}".strip()
    return {title: tuple(filter(None, texts)) for title, texts in sections.items()}


@cache
def first_sentence(doc: str, heading: str) -> str:
    """The sentence a section begins with; empty when there is no such section."""
    for paragraph in doc_sections(doc).get(heading, ()):
        sentence, stop, _ = paragraph.partition(". ")
        return sentence + stop.rstrip()
    return ""
