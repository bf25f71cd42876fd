"""Imports as edges: kinds, merging, re-exports followed, strings, roles, what lies outside."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.linking.link import link
from crimes.model.facts import EdgeKind, FileFacts, Role
from crimes.model.repository import Edge, Repo, SourceFile

EXTENSIONS = {extension: language for language in by_id.values() for extension in language.extensions}


def link_files(
    root: Path,
    files: Mapping[str, str],
    config: Config | None = None,
    roles: Mapping[str, Role] | None = None,
    unread: tuple[str, ...] = (),
) -> Repo:
    """Files written below a folder, read and linked."""
    sources, facts = [], {}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        language = EXTENSIONS.get(Path(path).suffix)
        if language is not None:
            sources.append(SourceFile(path, language.id, (roles or {}).get(path, Role.SOURCE), len(text)))
            if path not in unread:
                facts[path] = read_facts(language, (root / path).read_bytes())
    read = lambda path: (root / path).read_bytes()  # noqa: E731
    return link(root, sources, facts, frozenset(files), config or Config(), read)


def edge_rows(repo: Repo, source: str) -> list[str]:
    """The edges of one file in short form: target, kind, names, and what they came through."""
    return [
        f"{edge.target} {edge.kind} {','.join(edge.names)}" + (f" via {edge.via}" if edge.via else "")
        for edge in repo.edges
        if edge.source == source
    ]


def test_each_form_of_import_has_its_edge_kind(tmp_path: Path) -> None:
    main = """\
from typing import TYPE_CHECKING
import a
if TYPE_CHECKING:
    from b import B
def f():
    import c
x = __import__("d")
"""
    repo = link_files(tmp_path, {"main.py": main, "a.py": "", "b.py": "class B: ...", "c.py": "", "d.py": ""})
    assert edge_rows(repo, "main.py") == [
        "a.py runtime ",
        "b.py type_only B",
        "c.py deferred ",
        "d.py dynamic ",
    ]
    assert [edge.line for edge in repo.edges] == [2, 4, 6, 7]


def test_one_edge_per_target_and_kind_with_all_names_and_the_first_line(tmp_path: Path) -> None:
    main = "import os\nfrom a import z\nfrom a import b as c, a\nimport a\ndef f():\n    from a import late\n"
    repo = link_files(tmp_path, {"main.py": main, "a.py": "a = b = z = late = 1"})
    assert repo.edges == (
        Edge("main.py", "a.py", EdgeKind.DEFERRED, 6, ("late",)),
        Edge("main.py", "a.py", EdgeKind.RUNTIME, 2, ("a", "b", "z")),
    )


def test_a_file_does_not_import_itself(tmp_path: Path) -> None:
    repo = link_files(tmp_path, {"p/__init__.py": "from p import x\nfrom . import y\nx = y = 1"})
    assert repo.edges == ()
    assert repo.external == ()


def test_external_and_unresolved_imports_are_listed_in_order(tmp_path: Path) -> None:
    main = (
        "try:\n    import yaml.loader\nexcept ImportError:\n    yaml = None\nfrom . import gone\nimport os\n"
    )
    repo = link_files(tmp_path, {"p/__init__.py": "", "p/main.py": main})
    assert [(row.line, row.target, row.external, row.package, row.guarded) for row in repo.external] == [
        (2, "yaml.loader", True, "yaml", True),
        (5, ".", False, "", False),
        (6, "os", True, "os", False),
    ]


PACKAGE = {
    "p/__init__.py": "from .impl import thing, other as renamed\nfrom . import tools\n",
    "p/impl.py": "def thing(): ...\ndef other(): ...\n",
    "p/tools.py": "",
}


def test_names_reexported_by_a_package_lead_to_their_definition(tmp_path: Path) -> None:
    repo = link_files(tmp_path, {**PACKAGE, "use.py": "from p import thing, renamed, tools"})
    assert edge_rows(repo, "use.py") == [
        "p/__init__.py runtime renamed,thing",
        "p/impl.py runtime renamed,thing via p/__init__.py",
        "p/tools.py runtime tools",
    ]
    assert edge_rows(repo, "p/__init__.py") == ["p/impl.py reexport other,thing", "p/tools.py reexport tools"]


def test_an_import_without_names_is_not_followed(tmp_path: Path) -> None:
    repo = link_files(tmp_path, {**PACKAGE, "use.py": "import p\nfrom p import *"})
    assert edge_rows(repo, "use.py") == ["p/__init__.py runtime *"]


def test_a_chain_of_barrels_is_followed_to_its_end(tmp_path: Path) -> None:
    files = {
        "a/__init__.py": "from a.b import x",
        "a/b/__init__.py": "from a.b.c import y as x",
        "a/b/c.py": "y = 1",
        "use.py": "def f():\n    from a import x",
    }
    assert edge_rows(link_files(tmp_path, files), "use.py") == [
        "a/__init__.py deferred x",
        "a/b/__init__.py deferred x via a/__init__.py",
        "a/b/c.py deferred x via a/__init__.py",
    ]


def test_star_import_passes_on_the_definitions_of_the_other_file(tmp_path: Path) -> None:
    files = {
        "p/__init__.py": "from .one import *\nfrom .two import *\nown = 1",
        "p/one.py": "from .deep import *\ndef first(): ...\nown = 2",
        "p/two.py": "def second(): ...",
        "p/deep.py": "def third(): ...",
        "use.py": "from p import first\nfrom p import third\nfrom p import own",
    }
    assert edge_rows(link_files(tmp_path, files), "use.py") == [
        "p/__init__.py runtime first,own,third",
        "p/deep.py runtime third via p/__init__.py",
        "p/one.py runtime first,third via p/__init__.py",
    ]


def test_type_only_stays_type_only_on_the_way(tmp_path: Path) -> None:
    files = {
        "p/__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import A\nfrom .b import B",
        "p/a.py": "class A: ...",
        "p/b.py": "class B: ...",
        "use.py": "from p import A, B",
        "hint.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p import B",
    }
    repo = link_files(tmp_path, files)
    assert edge_rows(repo, "use.py") == [
        "p/__init__.py runtime A,B",
        "p/a.py type_only A via p/__init__.py",
        "p/b.py runtime B via p/__init__.py",
    ]
    assert edge_rows(repo, "hint.py") == ["p/__init__.py type_only B", "p/b.py type_only B via p/__init__.py"]


def test_import_inside_a_function_is_not_reexported(tmp_path: Path) -> None:
    files = {"a.py": "def f():\n    from b import x\nx = 1", "b.py": "x = 1", "use.py": "from a import x"}
    assert edge_rows(link_files(tmp_path, files), "use.py") == ["a.py runtime x"]


@pytest.mark.parametrize("how", ["from {} import x", "from {} import *"])
def test_cyclic_and_endless_reexports_terminate(tmp_path: Path, how: str) -> None:
    files = {f"m{index}.py": how.format(f"m{(index + 1) % 500}") for index in range(500)}
    repo = link_files(tmp_path, {**files, "use.py": "from m0 import x"})
    assert "m1.py" in {edge.target for edge in repo.edges if edge.source == "use.py"} or how.endswith("*")
    assert max(len(edge_rows(repo, path)) for path in files) <= 21


def test_typescript_barrels_are_followed_to_the_definitions(tmp_path: Path) -> None:
    files = {
        "src/index.ts": (
            "export { a as renamed } from './a'\nexport * from './b'\nexport * as ns from './c'\n"
            "export type { T } from './t'\nimport d from './d'\nexport { d }\nexport { default as E } from './e'\n"
        ),
        "src/a.ts": "export const a = 1",
        "src/b.ts": "export const b = 1\nexport const unused = 2",
        "src/c.ts": "export const c = 1",
        "src/d.ts": "export default 1",
        "src/e.ts": "export default 2",
        "src/t.ts": "export type T = string",
        "src/use.ts": "import { renamed, b, ns, d, E, type T } from './index'",
    }
    repo = link_files(tmp_path, files)
    assert edge_rows(repo, "src/use.ts") == [
        "src/a.ts runtime renamed via src/index.ts",
        "src/b.ts runtime b via src/index.ts",
        "src/c.ts runtime ns via src/index.ts",
        "src/d.ts runtime d via src/index.ts",
        "src/e.ts runtime E via src/index.ts",
        "src/index.ts runtime E,T,b,d,ns,renamed",
        "src/t.ts type_only T via src/index.ts",
    ]
    assert {edge.kind for edge in repo.edges if edge.target == "src/a.ts" and not edge.via} == {
        EdgeKind.REEXPORT
    }


def test_star_export_passes_on_exports_but_not_private_imports(tmp_path: Path) -> None:
    files = {
        "main.ts": "import { log } from './index'\nlog()",
        "index.ts": "export * from './log'\nexport * from './store'",
        "log.ts": "export const log = () => 1",
        "store.ts": "import { log } from './log'\nexport const store = () => log()",
    }
    assert edge_rows(link_files(tmp_path, files), "main.ts") == [
        "index.ts runtime log",
        "log.ts runtime log via index.ts",
    ]


def test_strings_lead_to_files_unless_an_import_does_already(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/middle.py": "class Middle: ...",
        "app/urls.py": "",
        "settings.py": 'import app.urls\nROOT = "app.urls"\nM = ["app.middle.Middle", "app.middle"]\nX = "app.gone"\n',
        "app/own.py": 'NAME = "app.own"\n',
    }
    repo = link_files(tmp_path, files)
    assert edge_rows(repo, "settings.py") == ["app/middle.py dynamic ", "app/urls.py runtime "]
    assert edge_rows(repo, "app/own.py") == []


def test_only_languages_of_one_family_import_each_other(tmp_path: Path) -> None:
    files = {
        "a.py": "import b",
        "b.ts": "import { c } from './c'",
        "c.jsx": "export const c = 1",
        "NOTES.md": "See `a.py`.",
    }
    repo = link_files(tmp_path, files)
    assert [(edge.source, edge.target) for edge in repo.edges] == [("b.ts", "c.jsx")]
    assert [row.target for row in repo.external] == ["b"]


def test_configured_roots_reach_the_resolver(tmp_path: Path) -> None:
    files = {"deep/down/single.py": "", "use.py": "import single"}
    assert link_files(tmp_path, files).edges == ()
    assert edge_rows(link_files(tmp_path, files, Config(roots=("deep/down",))), "use.py") == [
        "deep/down/single.py runtime "
    ]


def test_manifests_are_read_through_the_safe_reader(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["deep/down"]',
        "deep/down/single.py": "",
        "use.py": "import single",
    }
    assert edge_rows(link_files(tmp_path, files), "use.py") == ["deep/down/single.py runtime "]


def test_generated_marker_overrides_only_the_roles_source_and_test(tmp_path: Path) -> None:
    marked = "# Code generated by protoc. DO NOT EDIT.\nx = 1\n"
    files = {"a.py": marked, "tests/b.py": marked, "vendor/c.py": marked, "d.py": "x = 1"}
    roles = {"tests/b.py": Role.TEST, "vendor/c.py": Role.VENDORED}
    repo = link_files(tmp_path, files, roles=roles)
    assert {path: file.role for path, file in repo.files.items()} == {
        "a.py": Role.GENERATED,
        "d.py": Role.SOURCE,
        "tests/b.py": Role.GENERATED,
        "vendor/c.py": Role.VENDORED,
    }


def test_unread_file_can_be_imported_and_files_are_sorted(tmp_path: Path) -> None:
    repo = link_files(tmp_path, {"z.py": "import broken", "a.py": "", "broken.py": ""}, unread=("broken.py",))
    assert list(repo.files) == ["a.py", "z.py"]
    assert edge_rows(repo, "z.py") == ["broken.py runtime "]


def test_the_order_of_the_input_does_not_matter(tmp_path: Path) -> None:
    files = {**PACKAGE, "use.py": "from p import thing, tools", "more.py": "import p\nimport os"}
    forward = link_files(tmp_path, files)
    backward = link_files(tmp_path, dict(reversed(files.items())))
    assert (forward.edges, forward.external) == (backward.edges, backward.external)
    assert list(forward.files) == list(backward.files)


def test_a_language_without_a_resolver_is_kept_without_edges() -> None:
    facts = {"README.md": FileFacts("markdown", 1, 0, "")}
    sources = [SourceFile("README.md", "markdown", Role.DOCS, 3)]
    repo = link(Path(), sources, facts, frozenset(facts), Config(), lambda path: b"")
    assert list(repo.files) == ["README.md"]
    assert repo.edges == ()
