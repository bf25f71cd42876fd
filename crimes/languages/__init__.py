"""The languages, by id. A new one is a folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.languages.c import C
from crimes.languages.cpp import CPP
from crimes.languages.csharp import CSHARP
from crimes.languages.embedded import ASTRO, NOTEBOOK, SVELTE, VUE
from crimes.languages.go import GO
from crimes.languages.java import JAVA
from crimes.languages.javascript import JAVASCRIPT
from crimes.languages.kotlin import KOTLIN
from crimes.languages.markdown import MARKDOWN
from crimes.languages.php import PHP
from crimes.languages.python import PYTHON
from crimes.languages.ruby import RUBY
from crimes.languages.rust import RUST
from crimes.languages.scala import SCALA
from crimes.languages.spec import Language
from crimes.languages.swift import SWIFT
from crimes.languages.typescript import TSX, TYPESCRIPT

_ALL = (
    *(ASTRO, C, CPP, CSHARP, GO, JAVA, JAVASCRIPT, KOTLIN, MARKDOWN, NOTEBOOK, PHP, PYTHON, RUBY, RUST),
    *(SCALA, SVELTE, SWIFT, TSX, TYPESCRIPT, VUE),
)

by_id: Mapping[str, Language] = {language.id: language for language in _ALL}
