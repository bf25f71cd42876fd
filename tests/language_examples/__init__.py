"""Every detector for any language, shown in every language, or the reason why it cannot be.

The languages are those without examples in the detectors' own files, one module each. What all of them show in the same way is
in `same_code` and `tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from crimes.detection.detector import Example
from tests.language_examples import same_code, tables
from tests.language_examples.code import TEMPLATES, Code

LANGUAGES = tuple(TEMPLATES)

_NOT_IN_EVERY_LANGUAGE = {
    "dynamic_dispatch": "code that is made or looked up by name while it runs",
}
# Why a detector reports nothing in a language: by detector, then by language.
EXCUSES: Mapping[str, Mapping[str, str]] = {
    **{
        detector: dict.fromkeys(LANGUAGES, f"it is about {subject}; its own examples show them")
        for detector, subject in _NOT_IN_EVERY_LANGUAGE.items()
    },
    "import_cycle": {
        **dict.fromkeys(
            ("csharp", "go", "java", "kotlin", "rust", "scala", "swift"),
            "the compiler takes the files together",
        ),
        **dict.fromkeys(("c", "cpp"), "a guard keeps headers from being read twice"),
        **dict.fromkeys(("php", "ruby"), "when a file uses what another defines is not known"),
    },
    "overwritten_argument": dict.fromkeys(("kotlin", "scala", "swift"), "parameters cannot be assigned"),
    "phantom_import": {
        **dict.fromkeys(
            ("c", "cpp", "csharp", "java", "kotlin", "php", "ruby", "scala", "swift"),
            "what an import names is no name that a manifest has",
        ),
        **dict.fromkeys(("go", "rust"), "the compiler refuses what no manifest declares"),
    },
    "orphan_file": {
        **dict.fromkeys(
            ("csharp", "go", "java", "kotlin", "php", "rust", "scala", "swift"),
            "its files see each other without an import, or are found by the name of a type",
        ),
        **dict.fromkeys(("c", "cpp"), "a header stands for its source, and build files name sources"),
    },
}


def own_examples(language: str) -> dict[str, list[Example]]:
    """The examples of the language's module, by detector."""
    return dict(import_module(f"{__name__}.{language}").EXAMPLES)


def shared_examples(language: str) -> dict[str, Example]:
    """By detector, one repository with a place that is reported and one that is not."""
    made = {
        make.__name__: make(Code(language))
        for make in same_code.MAKERS
        if language not in EXCUSES.get(make.__name__, {})
    }
    written = {
        make.__name__: make(language)
        for make in tables.MAKERS
        if language not in EXCUSES.get(make.__name__, {})
    }
    return made | written
