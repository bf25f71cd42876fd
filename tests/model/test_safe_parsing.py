"""Parsers of text that a repository chose: they read what the standard library reads, and refuse what would take it minutes."""

from __future__ import annotations

import configparser
import tomllib

import pytest

from crimes.model.safe_parsing import MAX_KEY_PARTS, parse_ini, parse_toml, split_command

INI = """
# comment
[options]
install_requires =
    x>=1
    # not a comment's line of the value

    y ; python_version < "3"
package_dir =
    = src
Name: a = b
empty =
[options.packages.find]
where = src
[tool:pytest]
testpaths = tests  more
"""


def with_configparser(text: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


@pytest.mark.parametrize(
    "text",
    [
        INI,
        "[DEFAULT]\na = 1\n[b]\nc = 2\n[d]\na = 3\n",
        "[a]\nb = 1\n\n\n  2\n",
        "[a]]\nb: c: d = e\n[b]\nB = 1\nb = 2\n",
        "",
    ],
)
def test_ini_is_read_as_the_standard_library_reads_it(text: str) -> None:
    assert parse_ini(text) == with_configparser(text)


@pytest.mark.parametrize("text", ["a = 1\n", "[a]\nb\n", "[a]\n = 1\n", "[a\n"])
def test_broken_ini_is_refused_as_the_standard_library_refuses_it(text: str) -> None:
    with pytest.raises(configparser.Error):
        with_configparser(text)
    with pytest.raises(ValueError, match=r"line"):
        parse_ini(text)


def test_toml_is_read_as_ever() -> None:
    text = '[a.b."c.d"]\nx.y = [1, {z = "' + "a." * 90 + '"}]\n'
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize("key", ["a.", "a . ", '"a".', "'a'."])
@pytest.mark.parametrize("around", ["{} = 1\n", "[{}]\n", "x = {{ {} = 1 }}\n", "\n  {} = 1\n"])
def test_toml_key_of_many_parts_is_refused(key: str, around: str) -> None:
    with pytest.raises(ValueError, match="parts"):
        parse_toml(around.format(key * MAX_KEY_PARTS + "a"))


def test_deeply_nested_toml_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_toml("x = " + "[" * 5_000)


def test_command_is_split_into_words_and_a_huge_one_is_refused() -> None:
    assert split_command("cc -I 'a b' x.c") == ["cc", "-I", "a b", "x.c"]
    with pytest.raises(ValueError, match="too long"):
        split_command("x" * 1_000_000)
