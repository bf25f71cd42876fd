"""Golden facts: one sample file per language, and what is read from it. `python tests/kit/golden_facts.py` writes them anew."""

from __future__ import annotations

import msgspec

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from tests.kit.paths import TESTS

FOLDER = TESTS / "golden"
SAMPLES = {
    language.id: path
    for language in by_id.values()
    if language.syntax is not None
    for path in sorted(FOLDER.glob(f"{language.id}.*"))
    if path.suffix in language.extensions
}


def facts_text(language: str) -> str:
    """The facts of a language's sample, one list entry a line, with the names of their fields."""
    facts = read_facts(by_id[language], SAMPLES[language].read_bytes())
    lines = []
    for name in facts.__struct_fields__:
        value = getattr(facts, name)
        if isinstance(value, tuple):
            lines.append(f"{name}:")
            lines.extend(f"  {_line(item)}" for item in value)
        else:
            lines.append(f"{name}: {value!r}")
    return "\n".join(lines) + "\n"


def _line(item: object) -> str:
    if isinstance(item, msgspec.Struct):
        shown = {key: msgspec.to_builtins(getattr(item, key)) for key in item.__struct_fields__}
        return ", ".join(
            f"{key}={value!r}" for key, value in shown.items() if value not in ((), [], "", False, None)
        )
    return repr(item)


if __name__ == "__main__":
    for sample in SAMPLES:
        (FOLDER / f"{sample}.facts").write_text(facts_text(sample), encoding="utf-8")
