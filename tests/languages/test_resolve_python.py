"""Where Python imports lead: layouts, roots, relative names, the standard library, strings."""

from __future__ import annotations

import pytest

from tests.kit.resolving import EXTERNAL, UNRESOLVED, import_targets, resolutions, resolver_of

PACKAGE = {
    "pkg/__init__.py": "VERSION = '1'\n",
    "pkg/core.py": "class Core: ...\n",
    "pkg/sub/__init__.py": "",
    "pkg/sub/leaf.py": "def leaf(): ...\n",
}


@pytest.mark.parametrize("base", ["", "src/", "lib/", "packages/one/src/", "python/"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import pkg", "pkg/__init__.py"),
        ("import pkg.core", "pkg/core.py"),
        ("import pkg.sub.leaf as l", "pkg/sub/leaf.py"),
        ("from pkg import core", "pkg/core.py"),
        ("from pkg import VERSION", "pkg/__init__.py"),
        ("from pkg.core import Core", "pkg/core.py"),
        ("from pkg import *", "pkg/__init__.py"),
        ("from . import core", "pkg/core.py"),
        ("from .core import Core", "pkg/core.py"),
        ("from .sub import leaf", "pkg/sub/leaf.py"),
        ("from .sub.leaf import leaf", "pkg/sub/leaf.py"),
        ("from . import VERSION", "pkg/__init__.py"),
        ("from pkg import __version__", "pkg/__init__.py"),
    ],
)
def test_every_form_of_import_resolves_in_every_layout(base: str, text: str, expected: str) -> None:
    files = {base + path: body for path, body in PACKAGE.items()} | {f"{base}pkg/user.py": text}
    assert import_targets(files, f"{base}pkg/user.py") == [base + expected]


def test_import_of_several_modules_resolves_each() -> None:
    files = PACKAGE | {"run.py": "import pkg, pkg.core, os"}
    assert import_targets(files, "run.py") == ["pkg/__init__.py", "pkg/core.py", EXTERNAL]


def test_one_statement_with_modules_and_attributes_names_each_file() -> None:
    files = PACKAGE | {"run.py": "from pkg import core, VERSION, sub as s"}
    (answer,) = resolutions(files, "run.py")
    assert [(target.path, target.names) for target in answer.targets] == [
        ("pkg/__init__.py", ("VERSION",)),
        ("pkg/core.py", ("core",)),
        ("pkg/sub/__init__.py", ("sub",)),
    ]


def test_relative_imports_climb_from_the_real_folder() -> None:
    files = PACKAGE | {
        "pkg/sub/deep/__init__.py": "from . import x\nfrom .. import leaf\nfrom ...core import Core",
        "pkg/sub/deep/x.py": "from ... import core\nfrom ..leaf import leaf\nfrom ..... import beyond",
    }
    assert import_targets(files, "pkg/sub/deep/__init__.py") == [
        "pkg/sub/deep/x.py",
        "pkg/sub/leaf.py",
        "pkg/core.py",
    ]
    assert import_targets(files, "pkg/sub/deep/x.py") == ["pkg/core.py", "pkg/sub/leaf.py", UNRESOLVED]


def test_missing_name_of_our_package_is_unresolved_and_other_packages_are_external() -> None:
    text = (
        "import pkg.gone\nfrom pkg import missing\nfrom .gone import a\nimport requests.adapters\nimport yaml"
    )
    files = PACKAGE | {"pkg/user.py": text}
    assert import_targets(files, "pkg/user.py") == [UNRESOLVED, UNRESOLVED, UNRESOLVED, EXTERNAL, EXTERNAL]
    assert [answer.package for answer in resolutions(files, "pkg/user.py")[3:]] == ["requests", "yaml"]


@pytest.mark.parametrize(
    "init",
    [
        "from .core import *",
        "def __getattr__(name): ...",
        "globals().update(found())",
        "install_lazy_names(__name__)",
        "class Broken(:\n    pass",
    ],
)
def test_unknown_name_of_a_dynamic_package_leads_to_the_package(init: str) -> None:
    files = PACKAGE | {"pkg/__init__.py": init, "run.py": "from pkg import something"}
    assert import_targets(files, "run.py") == ["pkg/__init__.py"]


def test_names_a_package_imports_are_its_own_but_not_those_imported_in_functions() -> None:
    init = "from .core import Core as C\nimport json as j\ndef f():\n    from .core import hidden"
    files = PACKAGE | {
        "pkg/__init__.py": init,
        "run.py": "from pkg import C\nfrom pkg import j\nfrom pkg import hidden",
    }
    assert import_targets(files, "run.py") == ["pkg/__init__.py", "pkg/__init__.py", UNRESOLVED]


def test_namespace_packages_have_no_file_of_their_own() -> None:
    files = {
        "space/inner/tool.py": "",
        "run.py": "import space.inner.tool\nfrom space.inner import tool\nimport space.inner\nfrom space import other",
    }
    assert import_targets(files, "run.py") == [
        "space/inner/tool.py",
        "space/inner/tool.py",
        EXTERNAL,
        EXTERNAL,
    ]


def test_namespace_package_spans_two_roots() -> None:
    files = {
        "one/src/space/left.py": "from space import right\nfrom . import right\nfrom space.right import R",
        "two/src/space/right.py": "R = 1\n",
    }
    assert import_targets(files, "one/src/space/left.py") == [
        "two/src/space/right.py",
        UNRESOLVED,  # the real folder exists and has no such module
        "two/src/space/right.py",
    ]


def test_a_package_that_extends_its_path_is_searched_in_every_root() -> None:
    shared = "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n"
    files = {
        "core/src/big/__init__.py": shared + "CONF = 1\n",
        "core/src/big/models.py": "",
        "extra/src/big/__init__.py": shared,
        "extra/src/big/plug/__init__.py": "from big import models\nfrom big import CONF\nfrom ..models import M\nimport big",
    }
    assert import_targets(files, "extra/src/big/plug/__init__.py") == [
        "core/src/big/models.py",
        "core/src/big/__init__.py",
        "core/src/big/models.py",
        "extra/src/big/__init__.py",
    ]


def test_packages_of_one_name_in_two_roots_stay_apart() -> None:
    files = {
        "packages/a/src/common/__init__.py": "",
        "packages/a/src/common/x.py": "",
        "packages/a/src/app/__init__.py": "import common.x\nimport common.only_b\nimport bee",
        "packages/b/src/common/__init__.py": "",
        "packages/b/src/common/x.py": "",
        "packages/b/src/common/only_b.py": "",
        "packages/b/src/bee/__init__.py": "from common import x",
        "packages/b/tests/test_bee.py": "import common.x",
        "tools/run.py": "import bee",
    }
    assert import_targets(files, "packages/a/src/app/__init__.py") == [
        "packages/a/src/common/x.py",
        UNRESOLVED,
        "packages/b/src/bee/__init__.py",
    ]
    assert import_targets(files, "packages/b/src/bee/__init__.py") == ["packages/b/src/common/x.py"]
    assert import_targets(files, "packages/b/tests/test_bee.py") == ["packages/b/src/common/x.py"]
    assert import_targets(files, "tools/run.py") == ["packages/b/src/bee/__init__.py"]


def test_a_folder_named_after_an_installed_package_does_not_hide_the_root_in_it() -> None:
    files = {
        "partners/openai/glue_openai/__init__.py": "import openai",
        "core/main/__init__.py": "from glue_openai import x\nimport openai",
    }
    assert import_targets(files, "core/main/__init__.py") == [UNRESOLVED, EXTERNAL]
    files["partners/openai/glue_openai/x.py"] = ""
    assert import_targets(files, "core/main/__init__.py") == ["partners/openai/glue_openai/x.py", EXTERNAL]


def test_test_data_and_vendored_packages_are_not_seen_from_elsewhere() -> None:
    files = PACKAGE | {
        "tests/data/requests/__init__.py": "",
        "vendor/yaml/__init__.py": "",
        "vendor/yaml/loader.py": "import yaml",
        "pkg/user.py": "import requests\nimport yaml",
        "tests/data/test_it.py": "import requests",
    }
    assert import_targets(files, "pkg/user.py") == [EXTERNAL, EXTERNAL]
    assert import_targets(files, "vendor/yaml/loader.py") == ["vendor/yaml/__init__.py"]
    assert import_targets(files, "tests/data/test_it.py") == ["tests/data/requests/__init__.py"]


def test_a_module_in_a_package_does_not_capture_the_standard_library() -> None:
    files = PACKAGE | {
        "pkg/types.py": "",
        "pkg/logging/__init__.py": "",
        "pkg/user.py": "import types\nimport logging.handlers\nfrom . import types",
    }
    assert import_targets(files, "pkg/user.py") == [EXTERNAL, EXTERNAL, "pkg/types.py"]


def test_a_namespace_member_does_not_capture_the_standard_library_but_a_scripts_neighbour_does() -> None:
    files = {
        "app/types.py": "",
        "app/main.py": "import types\nfrom app import models",
        "app/models.py": "",
        "scripts/types.py": "",
        "scripts/run.py": "import types",
    }
    assert import_targets(files, "app/main.py") == [EXTERNAL, "app/models.py"]
    assert import_targets(files, "scripts/run.py") == ["scripts/types.py"]


def test_a_top_folder_named_like_a_standard_module_is_found_by_longer_names_only() -> None:
    files = {
        "test/helpers.py": "",
        "test/io/reader.py": "",
        "test/a/case.py": "from test.helpers import h\nimport io",
    }
    assert import_targets(files, "test/a/case.py") == ["test/helpers.py", EXTERNAL]


def test_import_of_an_installed_package_is_not_a_wrapper_of_the_same_name() -> None:
    files = {
        "scripts/redis.py": "import redis",
        "app/clients/redis.py": "import redis\nfrom app.clients.redis import make",
        "app/clients/cache.py": "import redis",
        "app/main.py": "import redis\nfrom app.clients import cache",
    }
    assert import_targets(files, "scripts/redis.py") == [EXTERNAL]
    assert import_targets(files, "app/clients/cache.py") == [EXTERNAL]
    assert import_targets(files, "app/main.py") == [EXTERNAL, "app/clients/cache.py"]


def test_scripts_and_tests_import_modules_beside_and_above_them() -> None:
    files = {
        "scripts/release.py": "import changelog",
        "scripts/changelog.py": "",
        "tests/helpers.py": "",
        "tests/conftest.py": "",
        "tests/unit/test_a.py": "import helpers\nfrom tests.helpers import h",
        "src/other.py": "import changelog",
    }
    assert import_targets(files, "scripts/release.py") == ["scripts/changelog.py"]
    assert import_targets(files, "tests/unit/test_a.py") == ["tests/helpers.py", "tests/helpers.py"]
    assert import_targets(files, "src/other.py") == [EXTERNAL]


def test_test_folder_with_the_package_name_does_not_hide_the_package() -> None:
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/core.py": "",
        "tests/pkg/__init__.py": "",
        "tests/pkg/test_core.py": "import pkg.core\nfrom pkg.core import Core\nimport pkg.gone",
    }
    assert import_targets(files, "tests/pkg/test_core.py") == [
        "src/pkg/core.py",
        "src/pkg/core.py",
        UNRESOLVED,
    ]


def test_stubs_and_compiled_modules_resolve() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/both.py": "",
        "pkg/both.pyi": "",
        "pkg/stub.pyi": "",
        "pkg/_fast.pyx": "",
        "pkg/_built.cpython-311-x86_64-linux-gnu.so": "",
        "pkg/_c.c": "",
        "src/regex.c": "",
        "pkg/user.py": "from . import both, stub\nfrom ._fast import f\nfrom ._built import b\nfrom . import _c\nimport regex",
    }
    assert import_targets(files, "pkg/user.py") == [
        "pkg/both.py pkg/stub.pyi",
        "pkg/_fast.pyx",
        "pkg/_built.cpython-311-x86_64-linux-gnu.so",
        "pkg/_c.c",
        EXTERNAL,
    ]


def test_a_package_wins_over_a_module_of_its_name() -> None:
    files = {"a/__init__.py": "", "a.py": "", "run.py": "import a"}
    assert import_targets(files, "run.py") == ["a/__init__.py"]


def test_an_attribute_of_a_module_is_not_looked_for_in_a_folder_beside_it() -> None:
    files = {"a.py": "b = 1", "a/b.py": "", "run.py": "from a import b"}
    assert import_targets(files, "run.py") == ["a.py"]


def test_relative_dynamic_imports_are_not_called_unresolved() -> None:
    files = PACKAGE | {"pkg/user.py": "import_module('.core', __name__)\nimport_module('.gone', package)"}
    assert import_targets(files, "pkg/user.py") == ["pkg/core.py", EXTERNAL]


MANIFESTS = {
    "setuptools package-dir": ("pyproject.toml", '[tool.setuptools.package-dir]\n"" = "code/here"'),
    "setuptools one package": ("pyproject.toml", '[tool.setuptools.package-dir]\nmine = "code/here/mine"'),
    "setuptools find": ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["code/here"]'),
    "poetry": ("pyproject.toml", '[[tool.poetry.packages]]\ninclude = "mine"\nfrom = "code/here"'),
    "hatch": ("pyproject.toml", '[tool.hatch.build.targets.wheel]\npackages = ["code/here/mine"]'),
    "pytest": ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "other code/here"'),
    "setup.cfg package_dir": ("setup.cfg", "[options]\npackage_dir =\n    = code/here"),
    "setup.cfg find": ("setup.cfg", "[options.packages.find]\nwhere = code/here"),
    "in a folder": ("code/pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["./here/"]'),
}


@pytest.mark.parametrize("kind", MANIFESTS)
def test_roots_stated_in_manifests_are_searched(kind: str) -> None:
    name, text = MANIFESTS[kind]
    files = {
        "code/here/mine.py": "",
        "code/here/mine/__init__.py": "",
        "user/run.py": "import mine",
        "user/x.py": "",
    }
    files["code/here/single.py"] = ""
    files["user/run.py"] = "import single"
    assert import_targets(files, "user/run.py") == [EXTERNAL]
    assert import_targets(files | {name: text}, "user/run.py") == ["code/here/single.py"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "not toml ["),
        ("pyproject.toml", "a = " + "[" * 5000),
        ("pyproject.toml", "tool = 3"),
        (
            "pyproject.toml",
            "[tool]\nsetuptools = []\n[[tool.poetry.packages]]\nfrom = 3\n[tool.hatch.build]\npackages = [1]",
        ),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["/etc", "../../out", ".."]'),
        ("pyproject.toml", '[tool.setuptools]\npackage-dir = {"" = 1, b = "b", "" = 2}'),
        ("setup.cfg", "no section"),
        ("setup.cfg", "[options]\npackage_dir = %(nothing)s"),
    ],
)
def test_malformed_or_hostile_manifest_is_ignored(name: str, text: str) -> None:
    files = PACKAGE | {"run.py": "import pkg.core", name: text}
    assert import_targets(files, "run.py") == ["pkg/core.py"]


def test_unreadable_manifest_is_ignored() -> None:
    files = {"pyproject.toml": PermissionError(), "a.py": "x = 1\n"}
    assert resolver_of(files, "a.py").text_targets("b.py", "a:x") == ("a.py",)


def test_configured_roots_are_searched() -> None:
    files = {"deep/down/single.py": "", "run.py": "import single"}
    assert import_targets(files, "run.py") == [EXTERNAL]
    assert import_targets(files, "run.py", roots=("./deep/down/",)) == ["deep/down/single.py"]
    assert import_targets(files, "run.py", roots=("../outside", "/abs")) == [EXTERNAL]


SETTINGS = PACKAGE | {
    "pkg/wsgi.py": "application = 1\n",
    "pkg/__init__.py": "from .core import Core\n",
    "manage.py": "def main(): ...\n",
    "setup.py": "",
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("pkg.core", ("pkg/core.py",)),
        ("pkg.core.Core", ("pkg/core.py",)),
        ("pkg.sub", ("pkg/sub/__init__.py",)),
        ("pkg.Core", ("pkg/__init__.py",)),
        ("pkg.wsgi:application", ("pkg/wsgi.py",)),
        ("manage:main", ("manage.py",)),
        ("pkg.core.Other", ()),
        ("pkg.request", ()),
        ("pkg.core.Core.method", ()),
        ("pkg.wsgi:gone", ()),
        ("pkg", ()),
        ("setup.py", ()),
        ("core.Core", ()),
        ("os.path", ()),
        ("pkg/core.py", ()),
        ("pkg..core", ()),
        ("pkg.core.", ()),
        (".core", ()),
        ("", ()),
        (":", ()),
    ],
)
def test_string_that_names_a_module_leads_to_its_file(value: str, expected: tuple[str, ...]) -> None:
    assert resolver_of(SETTINGS, "manage.py").text_targets("settings.py", value) == expected
