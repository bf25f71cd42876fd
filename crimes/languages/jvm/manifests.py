"""What the build files declare: dependencies, and the project's own artifacts. Read as text; nothing is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from crimes.model.lazy_regex import regex

_LARGEST = 1_000_000
_MOST = 2_000
_POM_GROUP = regex(r"<groupId>\s*([\w.-]+)\s*</groupId>")
_POM_ARTIFACT = regex(r"<artifactId>\s*([\w.-]+)\s*</artifactId>")
# `"group:artifact:1.0"` of Gradle, also in a version catalogue, and `"group" %% "artifact"` of sbt.
_COORDINATES = regex(r"""["']([A-Za-z][\w.-]*):([\w.-]+)(?::[^"'\s]*)?["']""")
_SBT = regex(r'"([A-Za-z][\w.-]*)"\s*%{1,3}\s*"([\w.-]+)"')
_GROUP_AND_NAME = regex(r"""group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']""")
_WORDS = regex(r"[a-z0-9]+")
# Words that half of all libraries have in their names.
_TOO_COMMON = frozenset(
    [
        *("com", "org", "net", "io", "java", "javax", "jvm", "kotlin", "scala", "android", "js", "native"),
        *(
            "api",
            "core",
            "common",
            "commons",
            "lib",
            "library",
            "impl",
            "base",
            "model",
            "app",
            "main",
            "all",
        ),
        *("util", "utils", "test", "tests", "plugin", "parent", "bom", "maven", "gradle", "sbt"),
    ]
)


class Declared(Struct, frozen=True):
    """Groups of the dependencies, and the words in their names that tell them from others."""

    groups: frozenset[str]
    words: frozenset[str]


def is_manifest(path: str) -> bool:
    """Files that may declare dependencies."""
    folder, _, name = path.rpartition("/")
    if name in ("pom.xml", "build.gradle", "build.gradle.kts", "build.sbt", "build.sc", "build.mill"):
        return True
    if name.endswith((".versions.toml", ".gradle")):
        return True
    in_build = folder.rpartition("/")[2] == "project" or "buildSrc" in folder
    return in_build and name.endswith((".sbt", ".scala", ".kt", ".kts"))


def declared(paths: Iterable[str], read: Callable[[str], bytes]) -> Declared:
    """What all build files of the tree declare, the project's own artifacts left out."""
    own: set[str] = set()
    found: set[tuple[str, str]] = set()
    for path in sorted(filter(is_manifest, paths))[:_MOST]:
        text = read(path)[:_LARGEST].decode("utf-8", "replace")
        if path.endswith("pom.xml"):
            name, dependencies = _pom(text)
            own.add(name)
            found.update(dependencies)
        else:
            found.update(_coordinates(text))
    outside = [(group, artifact) for group, artifact in found if artifact not in own]
    words = {word for group, artifact in outside for word in _WORDS.findall(f"{group} {artifact}".lower())}
    return Declared(frozenset(group for group, _ in outside), frozenset(words - _TOO_COMMON))


def _pom(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The artifact a pom.xml describes, and what it depends on."""
    head, *blocks = text.split("<dependency>")
    before, _, after = head.partition("<parent>")
    own = _POM_ARTIFACT.search(before + after.partition("</parent>")[2])
    found = []
    for block in blocks:
        inside = block.partition("</dependency>")[0]
        group, artifact = _POM_GROUP.search(inside), _POM_ARTIFACT.search(inside)
        if group and artifact:
            found.append((group.group(1), artifact.group(1)))
    return own.group(1) if own else "", found


def _coordinates(text: str) -> Iterator[tuple[str, str]]:
    for pattern in (_COORDINATES, _SBT, _GROUP_AND_NAME):
        for match in pattern.finditer(text):
            yield match.group(1), match.group(2)
