"""Markdown: documents for people and instructions for agents. It has no grammar and no imports."""

from __future__ import annotations

import re

from crimes.languages.markdown.read import read_markdown
from crimes.languages.spec import Language
from crimes.model.facts import Role
from crimes.model.lazy_regex import regex

# Documents that tell people and agents what to do here. Change logs and manuals are many, long, and about other things.
_GUIDES = regex(
    r"(^|/)(readme|contributing|agents|claude|gemini|copilot-instructions|hacking|development|conventions)[^/]*$"
    r"|\.mdc$|\.instructions\.md$|(^|/)\.(cursor|github|claude|windsurf|clinerules)(/|$)",
    re.IGNORECASE,
)


def _reads(path: str) -> bool:
    return _GUIDES.search(path) is not None


MARKDOWN = Language(
    id="markdown",
    name="Markdown",
    extensions=(".md", ".mdc", ".markdown", ".mdx"),
    family="markdown",
    read=read_markdown,
    reads=_reads,
    file_names=(".clinerules", ".cursorrules", ".windsurfrules"),
    role_of_path=lambda path: Role.DOCS,
)
