"""Version ranges in the dialects of package managers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.languages.linking.versions import CARGO, COMPOSER, GEM, NPM, PEP440, POETRY, Dialect, allows


@pytest.mark.parametrize(
    ("asked", "version", "dialect", "expected"),
    [
        ("^1.2.3", "1.9.0", NPM, True),
        ("^1.2.3", "1.2.2", NPM, False),
        ("^1.2.3", "2.0.0", NPM, False),
        ("^0.2.3", "0.3.0", NPM, False),
        ("^0.0.3", "0.0.4", NPM, False),
        ("~1.2.3", "1.2.9", NPM, True),
        ("~1.2.3", "1.3.0", NPM, False),
        ("~1", "1.9.0", NPM, True),
        ("1.x", "1.4.2", NPM, True),
        ("1.2", "1.2.7", NPM, True),
        ("<=1.2", "1.2.7", NPM, True),
        (">1.2", "1.2.7", NPM, False),
        (">= 1.2 < 2", "1.5.0", NPM, True),
        ("1.2.3 - 2.0.0", "2.0.0", NPM, True),
        ("1.2.3 - 2.0.0", "2.0.1", NPM, False),
        ("16 || 17", "17.2.1", NPM, True),
        ("16 || 17", "18.0.0", NPM, False),
        ("*", "1.0.0", NPM, True),
        ("", "1.0.0", NPM, True),
        ("1.2", "1.9.0", CARGO, True),
        ("0.4", "0.5.0", CARGO, False),
        ("=1.2", "1.2.7", CARGO, True),
        (">=2,<3", "3.0", PEP440, False),
        ("~=1.4.2", "1.5", PEP440, False),
        ("~=1.4", "1.9", PEP440, True),
        ("==1.*", "1.9.2", PEP440, True),
        ("==1.0", "1.0.0", PEP440, True),
        ("!=1.5", "1.5", PEP440, False),
        ("^2", "2.0.36", POETRY, True),
        ("~1.2", "1.3.0", POETRY, False),
        ("~1.2", "1.9.0", COMPOSER, True),
        ("^7.0|^8.0", "v8.1.2", COMPOSER, True),
        ("~> 1.2", "1.9", GEM, True),
        ("~> 1.2.0", "1.3.0", GEM, False),
        (">= 1, < 3", "3.0", GEM, False),
    ],
)
def test_version_range_allows_exactly_its_versions(
    asked: str, version: str, dialect: Dialect, expected: bool
) -> None:
    assert allows(asked, version, dialect) is expected


@pytest.mark.parametrize(
    ("asked", "version"),
    [
        ("latest", "1.0.0"),
        ("git+https://example.org/x", "1.0.0"),
        ("^1.0.0-beta.1", "1.0.0"),
        ("^1.0.0", "1.0.0-beta.1"),
        ("^1.0.0", "1.0.0rc1"),
        ("^1.0.0", ""),
        ("^1.0.0", "1" * 5000),
        ("1" * 5000, "1.0.0"),
    ],
)
def test_undecidable_ranges_give_no_answer(asked: str, version: str) -> None:
    assert allows(asked, version, NPM) is None


@given(
    st.text(alphabet="0123456789.^~<>=!|,- *xva", max_size=40),
    st.text(alphabet="0123456789.vx+-", max_size=20),
)
def test_any_text_is_parsed_as_a_range(asked: str, version: str) -> None:
    for dialect in (NPM, CARGO, PEP440, POETRY, COMPOSER, GEM):
        assert allows(asked, version, dialect) in (True, False, None)


@given(st.tuples(*(st.integers(0, 30),) * 3))
def test_version_satisfies_its_own_range(numbers: tuple[int, int, int]) -> None:
    version = ".".join(map(str, numbers))
    for operator in ("", "=", "^", "~", ">=", "<="):
        assert allows(operator + version, version, NPM) is True
    assert allows(f"<{version}", version, NPM) is False
