"""Where PHP names lead: composer's namespaces, what files define, includes; and what is outside."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.model.facts import Role
from tests.kit.resolving import implicit_uses, import_targets_with_names, resolver_of

PHP = by_id["php"]
COMPOSER = '{"autoload": {"psr-4": {"App\\\\": ["src", "lib/"]}}, "require": {"acme/log-tools": "*", "monolog/monolog": "^3"}}'


USER = "<?php\nnamespace App\\Entity;\nclass User {}\nfunction greet() {}\nconst LIMIT = 3;\n"


@pytest.mark.parametrize(
    ("written", "leads"),
    [
        ("use App\\Entity\\User;", ["src/Entity/User.php(User)"]),
        ("use \\App\\Entity\\User as U;", ["src/Entity/User.php(User)"]),
        ("use app\\entity\\USER;", ["src/Entity/User.php(USER)"]),  # names of classes know no case
        ("use App\\Entity\\{User, Missing};", ["src/Entity/User.php(User)", "unresolved"]),
        ("use function App\\Entity\\greet;", ["src/Entity/User.php(greet)"]),
        ("use App\\Entity;", ["known"]),
        ("use App\\Nowhere\\Thing;", ["unresolved"]),
        ("use Monolog\\Logger;", ["external Monolog"]),
        ("use DateTime;", ["external DateTime"]),
        ("use App\\LogTools\\Writer;", ["external App"]),  # a package we require lives in our namespace
        ("require __DIR__ . '/boot.php';", ["src/boot.php()"]),
        ("require_once(dirname(__FILE__) . '/../index.php');", ["index.php()"]),
        ("include 'boot.php';", ["src/boot.php()"]),
        ("include 'index.php';", ["index.php()"]),
        ("require __DIR__ . '/../vendor/autoload.php';", ["external vendor"]),
        ("require __DIR__ . '/gone.php';", ["unresolved"]),
        ("require '../../../etc/passwd';", ["unresolved"]),
        ("require $path . '/x.php';", []),
        ('require "{$dir}/x.php";', []),
    ],
)
def test_every_form_of_import_resolves(written: str, leads: list[str]) -> None:
    files = {
        "composer.json": COMPOSER,
        "src/Entity/User.php": USER,
        "src/boot.php": "<?php\n",
        "index.php": "<?php\n",
        "src/a.php": f"<?php\nnamespace App;\n{written}\n",
    }
    assert import_targets_with_names(files, "src/a.php") == leads


def test_names_of_the_own_namespace_are_used_without_an_import() -> None:
    files = {
        "composer.json": COMPOSER,
        "src/Entity/User.php": USER,
        "src/Entity/Role.php": "<?php\nnamespace App\\Entity;\nclass Role extends User {}\n",
        "src/A.php": "<?php\nnamespace App;\nuse App\\Entity as E;\nuse App\\Entity\\User;\nfunction f(User $a) { new E\\Role(); new \\App\\B(); namespace\\g(); }\n",
        "src/B.php": "<?php\nnamespace App;\nclass B { const C = \\Exception::class; }\n",
    }
    assert implicit_uses(files, "src/Entity/Role.php") == {"src/Entity/User.php": ("User",)}
    assert implicit_uses(files, "src/A.php") == {"src/B.php": ("B",), "src/Entity/Role.php": ("Role",)}
    assert implicit_uses(files, "src/B.php") == {}


def test_autoload_path_decides_between_two_definitions() -> None:
    files = {
        "composer.json": COMPOSER,
        "fixtures/User.php": USER,
        "src/Entity/User.php": USER,
        "tools/a.php": "<?php\nuse App\\Entity\\User;\n",
    }
    assert import_targets_with_names(files, "tools/a.php") == ["src/Entity/User.php(User)"]


def test_psr_0_autoload_resolves() -> None:
    files = {
        "composer.json": '{"autoload": {"psr-0": {"Old_": "lib"}}}',
        "a/Row.php": "<?php\nclass Old_Db_Row {}\n",
        "lib/Old/Db/Row.php": "<?php\nclass Old_Db_Row {}\n",
        "b.php": "<?php\nfunction f() { return new Old_Db_Row(); }\n",
    }
    assert implicit_uses(files, "b.php") == {"lib/Old/Db/Row.php": ("Old_Db_Row",)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"autoload": []}',
        '{"autoload": {"psr-4": [1]}, "require": 3}',
        '{"autoload": {"psr-4": {"A": {}}}}',
        OSError("unreadable"),
        "[" * 9999,
    ],
)
def test_malformed_manifest_still_resolves_by_definitions(text: str | OSError) -> None:
    files = {
        "composer.json": text,
        "src/Entity/User.php": USER,
        "a.php": "<?php\nuse App\\Entity\\User;\nuse Other\\Thing;\n",
    }
    assert import_targets_with_names(files, "a.php") == ["src/Entity/User.php(User)", "external Other"]


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/Unit/UserTest.php", True),
        ("src/Tests/Fixtures/a.php", True),
        ("src/UserTest.php", True),
        ("src/Testing/Fake.php", False),
        ("src/Contest.php", False),
    ],
)
def test_test_paths_are_recognized(path: str, is_test: bool) -> None:
    assert PHP.is_test_path(path) is is_test


def test_roles_and_test_candidates_follow_the_path() -> None:
    assert PHP.test_candidates("src/Mail/Mailer.php") == (
        "MailerTest.php",
        "MailerCest.php",
        "MailerSpec.php",
    )
    assert PHP.role_of_path("var/cache/dev/App.php") is Role.GENERATED
    assert PHP.role_of_path("src/App.php") is None
    assert not PHP.reads("resources/views/home.blade.php")


def test_string_that_names_a_class_leads_to_its_file() -> None:
    resolver = resolver_of({"src/Entity/User.php": USER, "a.php": "<?php\n"}, "a.php")
    assert resolver.text_targets("a.php", "App\\Entity\\User") == ("src/Entity/User.php",)
    assert resolver.text_targets("a.php", "\\\\App\\\\Entity\\\\User") == ("src/Entity/User.php",)
    assert resolver.text_targets("a.php", "App\\Entity\\Nobody") == ()
    assert resolver.text_targets("a.php", "app.entity.user") == ()
