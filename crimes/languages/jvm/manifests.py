"""Dependencies and own artifacts that build files declare. They are read as text and never run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from crimes.model.lazy_regex import regex

_MAX_MANIFEST_BYTES = 1_000_000
_MAX_MANIFESTS = 2_000
_POM_GROUP = regex(r"<groupId>\s*([\w.-]+)\s*</groupId>")
_POM_ARTIFACT = regex(r"<artifactId>\s*([\w.-]+)\s*</artifactId>")
# `"group:artifact:1.0"` of Gradle, also in a version catalogue, and `"group" %% "artifact"` of sbt.
_COORDINATES = regex(r"""["']([A-Za-z][\w.-]*):([\w.-]+)(?::[^"'\s]*)?["']""")
_SBT = regex(r'"([A-Za-z][\w.-]*)"\s*%{1,3}\s*"([\w.-]+)"')
_GROUP_AND_NAME = regex(r"""group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']""")
_WORDS = regex(r"[a-z0-9]+")
# Words that occur in the names of too many libraries.
_TOO_COMMON_WORDS = """
com org net io java javax jvm kotlin scala android js native api core common commons lib library impl base
model app main all util utils test tests plugin parent bom maven gradle sbt
"""
_TOO_COMMON = frozenset(_TOO_COMMON_WORDS.split())


class Dependencies(Struct, frozen=True):
    """Groups of the dependencies, and the distinctive words in their names."""

    groups: frozenset[str]
    words: frozenset[str]


def is_manifest(path: str) -> bool:
    """Whether a file may declare dependencies."""
    folder, _, name = path.rpartition("/")
    if name in ("pom.xml", "build.gradle", "build.gradle.kts", "build.sbt", "build.sc", "build.mill"):
        return True
    if name.endswith((".versions.toml", ".gradle")):
        return True
    in_build = folder.rpartition("/")[2] == "project" or "buildSrc" in folder
    return in_build and name.endswith((".sbt", ".scala", ".kt", ".kts"))


def read_dependencies(paths: Iterable[str], read: Callable[[str], bytes]) -> Dependencies:
    """The dependencies of all build files of the tree, without the project's own artifacts."""
    own: set[str] = set()
    dependencies: set[tuple[str, str]] = set()
    for path in sorted(filter(is_manifest, paths))[:_MAX_MANIFESTS]:
        text = read(path)[:_MAX_MANIFEST_BYTES].decode("utf-8", "replace")
        if path.endswith("pom.xml"):
            artifact, coordinates = _parse_pom(text)
            own.add(artifact)
            dependencies.update(coordinates)
        else:
            dependencies.update(_coordinates(text))
    external = [(group, artifact) for group, artifact in dependencies if artifact not in own]
    words = {word for group, artifact in external for word in _WORDS.findall(f"{group} {artifact}".lower())}
    return Dependencies(frozenset(group for group, _ in external), frozenset(words - _TOO_COMMON))


def _parse_pom(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The artifact that a pom.xml describes, and the coordinates of its dependencies."""
    head, *blocks = text.split("<dependency>")
    before, _, after = head.partition("<parent>")
    own = _POM_ARTIFACT.search(before + after.partition("</parent>")[2])
    coordinates = []
    for block in blocks:
        inside = block.partition("</dependency>")[0]
        group, artifact = _POM_GROUP.search(inside), _POM_ARTIFACT.search(inside)
        if group and artifact:
            coordinates.append((group.group(1), artifact.group(1)))
    return own.group(1) if own else "", coordinates


def _coordinates(text: str) -> Iterator[tuple[str, str]]:
    for pattern in (_COORDINATES, _SBT, _GROUP_AND_NAME):
        for match in pattern.finditer(text):
            yield match.group(1), match.group(2)
