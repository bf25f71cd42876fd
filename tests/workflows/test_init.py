"""`crimes init`: settings that fit, workflows, and no file that is ever overwritten."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from crimes.config.loader import load_config
from crimes.detection.registry import catalogue
from crimes.model.report import ImportCoverage
from crimes.model.repository import Repo
from crimes.workflows.setup.settings import SCHEMA_ADDRESS, settings
from crimes.workflows.setup.survey import Survey, survey
from tests.kit.built_repo import context, file, outside
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo

FOLLOWED = ImportCoverage(3, 2, 1, ())
TESTED = "def test_one():\n    assert 1 + 1 == 2\n"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit(
        {
            "shop/core.py": "def run():\n    return 1\n",
            "tests/test_core.py": TESTED,
            "qa/first.py": TESTED,
            "qa/second.py": TESTED,
            "web/app.ts": "export const one = 1;\n",
        }
    )
    return made


def test_the_settings_fit_the_repository_and_are_accepted(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "init")
    assert (done.returncode, done.stdout) == (0, "")
    text = (repo.path / "crimes.toml").read_text("utf-8")
    assert text.startswith(f"#:schema {SCHEMA_ADDRESS}\n")
    assert "# Files read: 4 python, 1 typescript." in text
    assert "Recognised: 1 in tests/." in text
    config = load_config(repo.path, {id_: detector.options for id_, detector in catalogue().items()})
    assert (config.source, config.tests, config.roots) == ("crimes.toml", ("qa/**",), ())


def test_the_examples_in_the_settings_are_accepted_too(tmp_path: Path) -> None:
    rows = settings(Survey({}, {}, {}, {}, {}), FOLLOWED).splitlines()
    shown = [row.removeprefix("# ") for row in rows if row.startswith("# ") and ("=" in row or "[" in row)]
    (tmp_path / "crimes.toml").write_text("\n".join(shown))
    config = load_config(tmp_path, {id_: detector.options for id_, detector in catalogue().items()})
    assert config.exclude
    assert config.tests
    assert config.roots
    assert config.detectors["god_function"].options == {"max_cognitive": 60}


def test_second_run_is_refused_and_changes_nothing(repo: GitRepo) -> None:
    run_crimes(repo.path, "init", "--ci", "github")
    before = {path: path.read_bytes() for path in repo.path.rglob("*") if path.is_file()}
    done = run_crimes(repo.path, "init", "--ci", "github")
    assert done.returncode == 2
    assert "crimes.toml already has settings" in done.stderr
    assert ".github/workflows/crimes.yml already exists" in done.stderr
    assert before == {path: path.read_bytes() for path in repo.path.rglob("*") if path.is_file()}


def test_init_writes_no_settings_when_pyproject_has_them(repo: GitRepo) -> None:
    repo.write({"pyproject.toml": '[tool.crimes]\nexclude = ["x/"]\n'})
    done = run_crimes(repo.path, "init", "--ci", "gitlab")
    assert done.returncode == 0
    assert not (repo.path / "crimes.toml").exists()
    assert (repo.path / ".gitlab-ci.yml").exists()


def test_a_pipeline_that_is_there_gets_a_file_to_include(repo: GitRepo) -> None:
    repo.write({".gitlab-ci.yml": "mine: {script: [true]}\n"})
    done = run_crimes(repo.path, "init", "--ci", "gitlab")
    assert done.returncode == 0
    assert (repo.path / ".gitlab-ci.yml").read_text() == "mine: {script: [true]}\n"
    assert "include: [{local: .gitlab/crimes.yml}]" in done.stderr
    assert (repo.path / ".gitlab/crimes.yml").exists()


def test_workflow_uses_the_default_branch_of_the_repository(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "trunk")
    run_crimes(repo.path, "init", "--ci", "github")
    assert 'branches: ["trunk"]' in (repo.path / ".github/workflows/crimes.yml").read_text("utf-8")


def test_sarif_adds_the_upload_to_the_workflow(repo: GitRepo) -> None:
    assert run_crimes(repo.path, "init", "--ci", "github", "--sarif").returncode == 0
    text = (repo.path / ".github/workflows/crimes.yml").read_text("utf-8")
    assert "security-events: write" in text
    assert "upload-sarif" in text


@pytest.mark.parametrize("options", [(), ("--ci", "gitlab")], ids=["without --ci", "gitlab"])
def test_sarif_is_refused_where_no_workflow_could_upload(repo: GitRepo, options: tuple[str, ...]) -> None:
    done = run_crimes(repo.path, "init", "--sarif", *options)
    assert (done.returncode, "--ci github" in done.stderr) == (2, True)
    assert not (repo.path / "crimes.toml").exists()


@pytest.mark.parametrize("name", [".github", ".github/workflows"])
def test_no_link_leads_the_workflow_out_of_the_repository(repo: GitRepo, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (repo.path / name).parent.mkdir(exist_ok=True)
    (repo.path / name).symlink_to(elsewhere)
    done = run_crimes(repo.path, "init", "--ci", "github")
    assert done.returncode == 2
    assert "outside the repository" in done.stderr
    assert list(elsewhere.iterdir()) == []


def test_a_link_is_not_written_through(repo: GitRepo, tmp_path: Path) -> None:
    (repo.path / "crimes.toml").symlink_to(tmp_path / "elsewhere.toml")
    assert run_crimes(repo.path, "init").returncode == 2
    assert not (tmp_path / "elsewhere.toml").exists()


def test_a_workflow_needs_a_repository(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    done = run_crimes(folder, "init", "--ci", "github")
    assert done.returncode == 2
    assert "not a git repository" in done.stderr


# What fits.


def test_import_root_is_suggested_when_it_resolves_imports() -> None:
    files = [file("app/main.py"), file("legacy/things/deep.py"), file("other/parts.py")]
    lost = (
        outside("app/main.py", "things.deep", external=False),
        outside("app/main.py", "parts", external=False),
        outside("app/main.py", "json", external=True),
        outside("app/main.py", "gone.away", external=False),
    )
    asked: list[tuple[str, ...]] = []

    def relink(roots: tuple[str, ...]) -> Repo:
        asked.append(roots)
        return context(files, outside=lost[1:]).repo

    assert survey(context(files, outside=lost).repo, relink).more_roots == {"legacy": 1}
    assert asked == [("legacy", "other")]


def test_ambiguous_import_root_is_not_suggested() -> None:
    files = [file("main.py"), file("a/x/things.py"), file("b/x/things.py")]
    repo = context(files, outside=(outside("main.py", "things", external=False),)).repo
    assert survey(repo, lambda roots: repo).more_roots == {}


def test_names_that_need_escaping_are_not_suggested() -> None:
    text = settings(
        Survey(
            {"python": 1}, {'t"\n[x': 3}, {"qa\nx = 1": 2, "*": 3, "good one": 2}, {'a"b': 1, "lib": 2}, {}
        ),
        FOLLOWED,
    )
    loaded = tomllib.loads(text)
    assert loaded == {"tests": ["good one/**"], "roots": ["lib"]}
