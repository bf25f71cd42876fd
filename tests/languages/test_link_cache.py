"""Links of the last scan: whatever was edited since, they are those of a scan that remembers nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crimes.config.schema import Config
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.linking.link import link
from crimes.languages.linking.linker import Linker
from crimes.model.facts import Role
from crimes.model.repository import Repo, SourceFile
from tests.kit.memory import FakeMemoStore

LANGUAGES = {"py": "python", "ts": "typescript", "md": "markdown", "go": "go"}
Files = dict[str, str]

PYTHON = (
    "",
    "def run():\n    return 1\n",
    "\n\ndef run():\n    from app import views\n    return views\n",
    "from app.core import run\nSETTING = 'app.views.run'\n",
    "from app.core import *\nfrom app.views import run as walk\n",
    "from app import run, views\n",
    "import app.core\nimport requests\n\n\nclass Run:\n    def run(self):\n        return load('app.core.run')\n",
    "from app.views import *\nglobals()['made'] = 1\n",
    "import importlib\nimportlib.import_module('app.core')\n__path__ = []\n",
    "from .core import run\nfrom . import missing\n",
    "from app.deep import run as walk, missing\nNAMED = 'app.deep.run'\n",
    "from app.deep.core import run, walk\n",
    "walk = 1\nNAMED = load('app.views.walk')\n",
    "from app.deep import *\nfrom app import walk\n",
    "from ns.mod import run\nimport ns.mod.walk\n",
    "import mod\nfrom mod import run, missing\n",
)
SCRIPT = (
    "export * from './b'\n",
    "export * from './c'\nexport const own = 1\n",
    "export { own as other } from './a'\nimport x from 'left-pad'\n",
    "import { own, other, deep } from './a'\nimport('./b')\n",
    "import { own } from './barrel'\nimport type { other } from './c'\nconst deep = './a'\n",
)
PATHS = {
    **dict.fromkeys(
        ("app/__init__.py", "app/core.py", "app/views.py", "app/deep/__init__.py", "app/deep/core.py"), PYTHON
    ),
    **dict.fromkeys(("run.py", "ns/mod.py"), PYTHON),
    **dict.fromkeys(("web/a.ts", "web/b.ts", "web/c.ts", "web/barrel/index.ts"), SCRIPT),
    "README.md": ("# Title\n", "See `run.py`.\n"),
    "main.go": ("package main\n", 'package main\n\nimport "fmt"\n'),
    "pyproject.toml": ("", "[project]\nname = 'app'\ndependencies = ['requests']\n"),
    "web/package.json": ("{}", '{"dependencies": {"left-pad": "1"}}'),
}


class Notes(FakeMemoStore):
    """Knows each file by its text."""

    def __init__(self) -> None:
        super().__init__({})
        self.files: Files = {}

    def content_key(self, path: str) -> bytes:
        return self.files[path].encode() + b"|" + path.rpartition(".")[2].encode()


def link_files(files: Files, notes: Notes | None = None) -> Repo:
    if notes is not None:
        notes.files = files
    sources = [
        SourceFile(path, LANGUAGES[ending], Role.SOURCE, len(text))
        for path, text in files.items()
        if (ending := path.rpartition(".")[2]) in LANGUAGES
    ]
    facts = {
        source.path: read_facts(by_id[source.language], files[source.path].encode()) for source in sources
    }

    def read(path: str) -> bytes:
        return files[path].encode()

    return link(Path("/r"), sources, facts, frozenset(files), Config(), read, memory=notes)


def assert_same(files: Files, notes: Notes) -> None:
    known, fresh = link_files(files, notes), link_files(files)
    assert known.edges == fresh.edges
    assert known.external == fresh.external


edits = st.one_of(
    st.sampled_from(sorted(PATHS)).flatmap(
        lambda path: st.tuples(st.just(path), st.sampled_from(PATHS[path]))
    ),
    st.tuples(st.sampled_from(sorted(PATHS)), st.just(None)),
    st.tuples(st.sampled_from(sorted(PATHS)), st.just("\n")),  # one line more, at the top
)


@settings(max_examples=150)
@given(st.lists(edits, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_cached_links_equal_those_of_a_cold_scan(edits: list[tuple[str, str | None]], random: object) -> None:
    files = {path: random.choice(texts) for path, texts in sorted(PATHS.items())}  # type: ignore[attr-defined]
    notes = Notes()
    assert_same(files, notes)
    for path, text in edits:
        files = dict(files)
        if text is None:
            files.pop(path, None)
        else:
            files[path] = "\n" + files.get(path, "") if text == "\n" else text
        assert_same(files, notes)


TREE = {
    "app/__init__.py": "",
    "app/core.py": "def run():\n    return 1\n",
    "app/views.py": "from app.core import run\n\n\ndef show():\n    return run()\n",
    "web/a.ts": "import { b } from './b'\n",
    "web/b.ts": "export const b = 1\n",
    "pyproject.toml": "",
}


@pytest.fixture
def linked_paths(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are linked."""
    found: list[str] = []
    leads = Linker.links_of

    def noting(self: Linker, path: str) -> object:
        found.append(path)
        return leads(self, path)

    monkeypatch.setattr(Linker, "links_of", noting)
    return found


@pytest.mark.parametrize(
    ("path", "text", "again"),
    [
        (
            "app/views.py",
            "from app.core import run\n\n\ndef show():\n    return run() + 1\n",
            ["app/views.py"],
        ),
        ("app/core.py", "\n\ndef run():\n    return print(2)\n", ["app/core.py"]),
        ("app/core.py", TREE["app/core.py"], []),
        # Other names, at which nobody looks; a name that is passed on, to those who import it.
        ("app/core.py", "def walk():\n    return 1\n", ["app/core.py"]),
        ("web/b.ts", "export const b = 1, c = 2\n", ["web/b.ts"]),
        ("app/core.py", "from json import run\n", ["app/core.py", "app/views.py"]),
        ("web/b.ts", "import c from './a'\nexport const b = 1\n", ["web/b.ts", "web/a.ts"]),
        # A module that others are thought to mean by a longer name.
        ("app/views.py", "import app.core.run.core\n", "all"),
        ("app/new.py", "", "all"),
        ("pyproject.toml", "[project]\nname = 'app'\n", "all"),
    ],
)
def test_only_files_affected_by_an_edit_are_linked_again(
    linked_paths: list[str], path: str, text: str, again: list[str] | str
) -> None:
    notes = Notes()
    link_files(TREE, notes)
    linked_paths.clear()
    link_files({**TREE, path: text}, notes)
    everything = sorted(other for other in {**TREE, path: text} if other.endswith((".py", ".ts")))
    assert linked_paths == (everything if again == "all" else again)


@pytest.mark.parametrize(
    ("tree", "edit"),
    [
        pytest.param(
            {
                "a.py": "def _made():\n    pass\n",
                "b/__init__.py": "from a import *\n",
                "c.py": "from b import _made\n",
            },
            {"a.py": "def _other():\n    pass\n"},
            id="a name that is not exported",
        ),
        pytest.param(
            {"b/__init__.py": "", "b/d.py": "", "c.py": "from b import made\n"},
            {"b/__init__.py": "setup()\n"},
            id="a package that may bind any name",
        ),
        pytest.param(
            {
                "a.py": "made = 1\n",
                "b/__init__.py": "",
                "b/d.py": "import a\n",
                "c.py": "from b import made\n",
                "e.py": "from c import made\n",
            },
            {"b/__init__.py": "from a import made\n"},
            id="a name that was passed on before there was one",
        ),
        pytest.param(
            {
                "a.py": "made = 1\n",
                "b.py": "from a import *\n",
                "c.py": "from b import made\n",
            },
            {"b.py": "from a import *\nmade = 2\n"},
            id="a name of its own before that of a star",
        ),
        pytest.param(
            {
                "a.ts": "export { x } from './b'\n",
                "b.ts": "export { x } from './c'\n",
                "c.ts": "export { x } from './a'\n",
                "d.ts": "import { x } from './a'\n",
            },
            {"d.ts": "import { x } from './a'\nx()\n"},
            id="names in a circle",
        ),
        pytest.param(
            {
                "a.ts": "export * from './b'\nexport const a = 1\n",
                "b.ts": "export * from './c'\nexport const b = 1\n",
                "c.ts": "export * from './a'\nexport const c = 1\n",
                "d.ts": "import { a, b, c } from './a'\n",
                "e.ts": "import { a, b, c } from './b'\n",
                "f.ts": "import { a, b, c } from './c'\n",
            },
            {
                name: f"import {{ a, b, c }} from './{at}'\na()\n"
                for name, at in (("d.ts", "a"), ("e.ts", "b"), ("f.ts", "c"))
            },
            id="stars in a circle",
        ),
        pytest.param(
            {
                "a.py": "from p import made\n",
                "p.py": "from q import *\np = 1\n",
                "q.py": "from r import *\nmade = 1\n",
                "r.py": "from p import *\nr = 1\n",
                "x.py": "from r import made\n",
            },
            {"a.py": ""},
            id="stars in a circle, and who asked first is gone",
        ),
        pytest.param(
            {
                **{f"a{n:02}.ts": f"export {{ x }} from './a{n + 1:02}'\n" for n in range(30)},
                "b.ts": "import { x } from './a15'\n",
            },
            {"b.ts": "import { x } from './a15'\nx()\n"},
            id="a name from very far",
        ),
    ],
)
def test_links_follow_edits_that_other_files_can_see(tree: Files, edit: Files) -> None:
    notes = Notes()
    link_files(tree, notes)
    assert_same({**tree, **edit}, notes)
