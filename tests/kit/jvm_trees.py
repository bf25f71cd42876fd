"""Small trees of Java, Kotlin and Scala files, and where their names lead."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.jvm.resolve import JvmResolver
from crimes.languages.spec import Resolution, ResolveInput
from crimes.model.facts import FileFacts

EXTERNAL, KNOWN, UNRESOLVED = "external", "known", "unresolved"


def facts_of(files: Mapping[str, str]) -> dict[str, FileFacts]:
    return {
        path: read_facts(language, text.encode())
        for path, text in files.items()
        for language in by_id.values()
        if language.family == "jvm" and path.endswith(language.extensions)
    }


def resolver(files: Mapping[str, str]) -> JvmResolver:
    return JvmResolver(ResolveInput(frozenset(files), facts_of(files), (), lambda path: files[path].encode()))


def answers(files: Mapping[str, str], path: str) -> list[Resolution]:
    made = resolver(files)
    return [made.resolve(path, item) for item in facts_of({path: files[path]})[path].imports]


def where(files: Mapping[str, str], path: str) -> list[str]:
    """One word per import: the files it leads to, or why it leads nowhere."""
    return [
        " ".join(target.path for target in answer.targets)
        or (EXTERNAL if answer.external else KNOWN if answer.known else UNRESOLVED)
        for answer in answers(files, path)
    ]


def used(files: Mapping[str, str], path: str) -> dict[str, tuple[str, ...]]:
    """Files that `path` uses without an import, and by which names."""
    return {use.path: use.names for use in resolver(files).uses(path)}
