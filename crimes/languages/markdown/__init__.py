"""Markdown: documents for people and instructions for agents, without a grammar or imports."""

from __future__ import annotations

import re

from crimes.languages.markdown.read import read_markdown
from crimes.languages.spec import Language
from crimes.model.facts import Role
from crimes.model.lazy_regex import regex

# Documents that tell people and agents how to work here; change logs and manuals are left out.
_GUIDE = regex(
    r"(^|/)(readme|contributing|agents|claude|gemini|copilot-instructions|hacking|development|conventions)[^/]*$"
    r"|\.mdc$|\.instructions\.md$|(^|/)\.(cursor|github|claude|windsurf|clinerules)(/|$)",
    re.IGNORECASE,
)


def _is_guide(path: str) -> bool:
    return _GUIDE.search(path) is not None


MARKDOWN = Language(
    id="markdown",
    name="Markdown",
    comment="<!-- {} -->",
    extensions=(".md", ".mdc", ".markdown", ".mdx"),
    family="markdown",
    read=read_markdown,
    reads=_is_guide,
    file_names=(".clinerules", ".cursorrules", ".windsurfrules"),
    role_of_path=lambda path: Role.DOCS,
)
