"""The languages, by id. A new one is a folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.languages.javascript import JAVASCRIPT
from crimes.languages.markdown import MARKDOWN
from crimes.languages.python import PYTHON
from crimes.languages.spec import Language
from crimes.languages.typescript import TSX, TYPESCRIPT

by_id: Mapping[str, Language] = {
    language.id: language for language in (JAVASCRIPT, MARKDOWN, PYTHON, TSX, TYPESCRIPT)
}
