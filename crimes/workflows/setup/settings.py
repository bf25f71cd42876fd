"""The text of a crimes.toml: what the survey found is set, all else is shown as a commented example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from crimes.model.lazy_regex import regex
from crimes.model.report import ImportCoverage
from crimes.model.sanitize import safe
from crimes.model.wording import count
from crimes.workflows.setup.survey import Survey

# Editors complete and check crimes.toml by the schema that its first line names.
SCHEMA_ADDRESS = "https://raw.githubusercontent.com/crimes-cli/crimes/main/docs/crimes.schema.json"
_PLAIN = regex(r"\w[\w ./@+-]*", re.ASCII)
_MAX_NAMED = 5  # folders or languages in a comment


def settings(survey: Survey, imports: ImportCoverage) -> str:
    """The whole file."""
    return "\n".join(_rows(survey, imports)) + "\n"


def _rows(survey: Survey, imports: ImportCoverage) -> Iterator[str]:
    yield f"#:schema {SCHEMA_ADDRESS}"
    yield "# Settings of crimes. Commented lines are examples; anything not set keeps its default."
    yield f"# Files read: {_ranked(survey.languages, '{number:,} {name}') or 'none in a supported language'}."
    yield from ("", "# Files to exclude, as gitignore patterns. Files that git ignores are never read.")
    if survey.left_alone:
        parts = (f"{count(number, 'file')} {role}" for role, number in survey.left_alone.items())
        yield f"# Already not judged: {' and '.join(parts)}."
    yield '# exclude = ["legacy/", "*.pb.py"]'
    yield from (
        "",
        f"# Test files that are not recognised by name. Recognised: {_ranked(survey.known_tests, '{number:,} in {name}/') or 'none'}.",
    )
    yield from _list("tests", survey.more_tests, "file", "of tests", ending="/**", example="qa/**")
    yield from ("", "# More folders that imports start from.")
    yield f"# {count(imports.internal, 'import')} inside the repository resolved, {imports.unresolved:,} unresolved."
    yield from _list("roots", survey.more_roots, "import", "otherwise unresolved", example="services/api")
    yield from (
        "",
        "# Run `crimes detectors` for the list. Any detector can be turned off, and most have limits to set.",
    )
    yield from ("# [detectors.god_function]", "# max_cognitive = 60", "")
    yield from ("# [detectors.hollow_test]", "# enabled = false")


def _list(
    key: str, folders: Mapping[str, int], noun: str, what: str, *, example: str, ending: str = ""
) -> Iterator[str]:
    """A list with the evidence for each entry; without names that would have to be escaped."""
    plain = {folder: number for folder, number in folders.items() if _PLAIN.fullmatch(folder)}
    if not plain:
        yield f'# {key} = ["{example}"]'
        return
    yield f"{key} = ["
    for folder, number in plain.items():
        yield f"  {json.dumps(folder + ending)},  # {count(number, noun)} {what}"
    yield "]"


def _ranked(numbers: Mapping[str, int], row: str) -> str:
    ranked = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    shown = [row.format(name=safe(name), number=number) for name, number in ranked[:_MAX_NAMED]]
    return ", ".join((*shown, *(["and more"] if len(ranked) > _MAX_NAMED else [])))
