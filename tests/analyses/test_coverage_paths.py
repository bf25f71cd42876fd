"""Names in coverage data become files of the repository, or are counted as lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.analyses.coverage.paths import PathMatcher, PathMatches

SHOP = (
    "setup.py",
    "src/shop/__init__.py",
    "src/shop/cart.py",
    "src/shop/rates/__init__.py",
    "src/shop/rates/tax.py",
    "examples/setup.py",
    "tests/test_cart.py",
)


def match(
    paths: tuple[str, ...],
    *names: str,
    roots: tuple[str, ...] = (),
    folder: str = "",
    root: str = "/work/shop",
) -> PathMatches:
    return PathMatcher(paths, root).match(names, roots, folder)


@pytest.mark.parametrize(
    "name",
    [
        "src/shop/rates/tax.py",
        "./src/shop/rates/tax.py",
        "src/shop/../shop/rates/tax.py",
        "/work/shop/src/shop/rates/tax.py",
        "/home/ci/build/17/shop/src/shop/rates/tax.py",
        "C:\\agent\\_work\\1\\s\\src\\shop\\rates\\tax.py",
        "src\\shop\\rates\\tax.py",
        "shop/rates/tax.py",
        "rates/tax.py",
        "tax.py",
        "example.org/shop/src/shop/rates/tax.py",
        "webpack:///./src/shop/rates/tax.py",
        "../../src/shop/rates/tax.py",
        "/usr/src/app/rates/tax.py",
    ],
)
def test_spellings_of_one_path_match_the_same_file(name: str) -> None:
    assert match(SHOP, name).files == {name: "src/shop/rates/tax.py"}


@pytest.mark.parametrize(
    "name",
    [
        "/usr/lib/python3.13/json/cart.py",  # only its own name agrees
        "lib/test_cart.py",
        "/venv/lib/python3.13/site-packages/shop/cart.py",
        "/app/node_modules/shop/cart.py",
        "../../../etc/passwd",
        "/etc/passwd",
        "src/shop/cart.pyc",
        "cart.py/",
        "src/shop",
        "..",
        "/",
        "",
        "src/shop/cart.py\0",
        "SRC/SHOP/CART.PY",
    ],
)
def test_names_without_a_matching_file_are_unmatched(name: str) -> None:
    found = match(SHOP, name)
    expected = {"cart.py/": "src/shop/cart.py"} if name == "cart.py/" else {}
    assert found.files == expected
    assert found.unmatched == (() if expected else (name,))


def test_a_name_of_several_files_is_ambiguous() -> None:
    found = match(SHOP, "__init__.py")
    assert (found.files, found.ambiguous) == ({}, ("__init__.py",))


def test_an_exact_name_is_never_ambiguous() -> None:
    assert match(SHOP, "setup.py").files == {"setup.py": "setup.py"}
    assert match(SHOP, "/work/shop/setup.py").files == {"/work/shop/setup.py": "setup.py"}


def test_the_root_is_stripped_before_endings_are_compared() -> None:
    paths = ("a.py", "shop/a.py")
    assert match(paths, "/work/shop/a.py").files == {"/work/shop/a.py": "a.py"}


def test_other_names_of_the_report_disambiguate_between_two_files() -> None:
    """On the machine of CI the root has another name; most names tell which, and settle the rest."""
    found = match(
        SHOP, "/ci/setup.py", "/ci/src/shop/cart.py", "/ci/src/shop/rates/tax.py", "/ci/examples/setup.py"
    )
    assert found.files["/ci/setup.py"] == "setup.py"
    assert found.files["/ci/examples/setup.py"] == "examples/setup.py"


def test_a_folder_of_the_repository_may_be_the_root_of_the_data() -> None:
    paths = ("api/app/models.py", "api/app/views.py", "api/app/core/x.py", "web/app/models.py")
    found = match(paths, "/srv/app/models.py", "/srv/app/views.py", "/srv/app/core/x.py")
    assert found.files["/srv/app/models.py"] == "api/app/models.py"


def test_file_in_the_root_matches_only_with_support_from_other_names() -> None:
    names = ("/ci/src/shop/cart.py", "/ci/tests/test_cart.py", "/usr/lib/python3.13/setup.py")
    found = match(SHOP, *names)
    assert found.unmatched == ("/usr/lib/python3.13/setup.py",)
    assert match(("calc.py",), "/ci/calc.py").files == {"/ci/calc.py": "calc.py"}


def test_go_names_begin_with_the_module() -> None:
    paths = ("main.go", "cmd/tool/main.go", "cart/cart.go", "go.mod")
    names = [f"example.org/shop/{path}" for path in paths[:3]]
    assert match(paths, *names).files == dict(zip(names, paths, strict=False))


def test_jacoco_names_lack_the_folder_of_the_sources() -> None:
    java = "src/main/java/org/example"
    paths = (f"a/{java}/App.java", f"b/{java}/App.java", f"a/{java}/Only.java")
    found = match(paths, "org/example/App.java", "org/example/Only.java")
    assert found.files == {"org/example/Only.java": f"a/{java}/Only.java"}
    assert found.ambiguous == ("org/example/App.java",)
    near = match(paths, "org/example/App.java", folder="b/target/site/jacoco")
    assert near.files == {"org/example/App.java": f"b/{java}/App.java"}


def test_relative_names_start_at_the_folder_of_the_data_or_above_it() -> None:
    paths = ("src/index.ts", "packages/web/src/index.ts", "packages/api/src/index.ts")
    assert match(paths, "src/index.ts", folder="packages/web/coverage").files == {
        "src/index.ts": "packages/web/src/index.ts"
    }
    assert match(paths, "src/index.ts", folder="coverage").files == {"src/index.ts": "src/index.ts"}


def test_cobertura_names_are_relative_to_a_source() -> None:
    paths = ("src/shop/cart.py", "lib/shop/cart.py", "src/main.py", "lib/other.py")
    one = match(paths, "shop/cart.py", roots=("/ci/work/lib",))
    assert one.files == {"shop/cart.py": "lib/shop/cart.py"}
    two = match(paths, "main.py", "other.py", "shop/cart.py", roots=("/ci/work/src", "/ci/work/lib"))
    assert two.files == {"main.py": "src/main.py", "other.py": "lib/other.py"}
    assert two.ambiguous == ("shop/cart.py",)
    here = match(paths, "shop/cart.py", roots=("/work/shop/src", "/work/shop/lib"))
    assert here.ambiguous == ("shop/cart.py",)


def test_an_absolute_name_ignores_the_sources() -> None:
    found = match(SHOP, "/work/shop/src/shop/cart.py", roots=("/elsewhere",))
    assert found.files == {"/work/shop/src/shop/cart.py": "src/shop/cart.py"}


def test_twenty_thousand_files_of_one_name_are_matched_quickly() -> None:
    paths = tuple(f"d{n}/__init__.py" for n in range(20_000))
    names = [f"/ci/d{n}/__init__.py" for n in range(20_000)]
    assert len(match(paths, *names).files) == 20_000
    assert match(paths, "__init__.py").ambiguous == ("__init__.py",)


_PART = st.sampled_from(["a", "b", "src", "x.py", "y.py", "..", ".", "", "node_modules"])
_PATH = st.lists(st.sampled_from(["a", "b", "src", "x.py", "y.py"]), min_size=1, max_size=4).map("/".join)


@given(
    st.lists(_PATH, unique=True, max_size=12),
    st.lists(st.lists(_PART, max_size=5).map("/".join), unique=True),
)
def test_every_name_has_one_outcome_and_matches_only_repository_files(
    paths: list[str], names: list[str]
) -> None:
    found = PathMatcher(paths, "/work").match(names, (), "a")
    outcomes = [*found.files, *found.unmatched, *found.ambiguous]
    assert sorted(outcomes) == sorted(names)
    assert set(found.files.values()) <= set(paths)
    assert all(path.rpartition("/")[2] in name for name, path in found.files.items())


@given(st.lists(_PATH, unique=True, max_size=12), st.lists(_PATH, unique=True))
def test_order_of_names_and_files_does_not_change_the_matches(paths: list[str], names: list[str]) -> None:
    first = PathMatcher(paths, "/work").match(names, (), "")
    again = PathMatcher(reversed(paths), "/work").match(reversed(names), (), "")
    assert first.files == again.files
    assert sorted(first.ambiguous) == sorted(again.ambiguous)
