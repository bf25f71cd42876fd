"""Where C# names lead: usings, namespaces in sight, what a project brings, partial types; and what is outside."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.model.facts import Role
from tests.kit.resolving import implicit_uses, import_targets_with_names, resolver_of

CSHARP = by_id["csharp"]
USER = "namespace Shop.Model;\npublic class User { }\npublic enum Kind { A }\n"


@pytest.mark.parametrize(
    ("written", "leads"),
    [
        ("using Shop.Model;", ["Model/User.cs(User)"]),
        ("using Shop . Model;", ["Model/User.cs(User)"]),
        ("using global::Shop.Model;", ["Model/User.cs(User)"]),
        ("using U = Shop.Model.Kind;", ["Model/User.cs(Kind)"]),
        ("using static Shop.Model.Kind;", ["Model/User.cs(Kind)"]),
        ("using Rows = Shop.Model.User<string, int>;", ["Model/User.cs(User)"]),
        ("using Shop;", ["known"]),
        ("using Shop.Other;", ["known"]),  # of the tree, and nothing of it is used
        ("using Shop.Missing;", ["unresolved"]),
        ("using Shop.Kit.Web;", ["external Shop.Kit"]),  # a package that is declared
        ("using System.Text;", ["external System.Text"]),
        ("using Newtonsoft.Json;", ["external Newtonsoft.Json"]),
    ],
)
def test_every_form_of_using_resolves(written: str, leads: list[str]) -> None:
    files = {
        "App.csproj": '<Project><ItemGroup><PackageReference Include="Shop.Kit" Version="1" /></ItemGroup></Project>',
        "Model/User.cs": USER,
        "Other.cs": "namespace Shop.Other;\nclass Thing { }\n",
        "a.cs": f"{written}\nnamespace App;\nclass A {{ User user; }}\n",
    }
    assert import_targets_with_names(files, "a.cs") == leads


def test_a_using_may_be_relative_to_the_namespace_around_it() -> None:
    files = {"Model/User.cs": USER, "a.cs": "namespace Shop.Web;\nusing Model;\nclass A { User user; }\n"}
    assert import_targets_with_names(files, "a.cs") == ["Model/User.cs(User)"]


def test_types_in_visible_namespaces_are_used_without_a_using() -> None:
    files = {
        "Model/User.cs": USER,
        "Shop.cs": "namespace Shop { class Base { } }\n",
        "Plain.cs": "class Plain { }\n",
        "a.cs": "namespace Shop.Model.Deep { class A : Base { User user; Plain plain; } }\n",
        "b.cs": "namespace App { class B { object o = new Shop.Model.User(); } }\n",
        "c.cs": "namespace Shop { class C { object o = new Model.User(); } }\n",
        "d.cs": "namespace Other { class D { User user; int User; } }\n",
    }
    assert implicit_uses(files, "a.cs") == {
        "Model/User.cs": ("User",),
        "Plain.cs": ("Plain",),
        "Shop.cs": ("Base",),
    }
    assert implicit_uses(files, "b.cs") == {"Model/User.cs": ("User",)}
    assert implicit_uses(files, "c.cs") == {"Model/User.cs": ("User",)}
    assert implicit_uses(files, "d.cs") == {}


def test_member_names_are_not_taken_for_types() -> None:
    files = {
        "Model/User.cs": USER,
        "a.cs": "namespace Shop.Model;\nclass A { int F(A a) { return a.G().User + a?.Kind; } }\n",
    }
    assert implicit_uses(files, "a.cs") == {}


def test_global_usings_of_a_project_make_namespaces_visible() -> None:
    files = {
        "Web/Web.csproj": '<Project><ItemGroup><!-- <Using Include="No" /> --><Using Include="Shop.Model" /></ItemGroup></Project>',
        "Cli/Cli.csproj": "<Project />",
        "Cli/Usings.cs": "global using Shop.Model;\n",
        "Model/User.cs": USER,
        "Web/A.cs": "namespace Web;\nclass A { User user; }\n",
        "Cli/B.cs": "namespace Cli;\nclass B { User user; }\n",
        "Other/C.cs": "namespace Other;\nclass C { User user; }\n",
    }
    assert implicit_uses(files, "Web/A.cs") == {"Model/User.cs": ("User",)}
    assert implicit_uses(files, "Cli/B.cs") == {"Model/User.cs": ("User",)}
    assert implicit_uses(files, "Other/C.cs") == {}


def test_partial_type_leads_to_all_its_files_of_the_own_project() -> None:
    part = "namespace Shop;\npartial class Order { }\n"
    files = {
        "One/One.csproj": "<Project />",
        "Two/Two.csproj": "<Project />",
        "One/Order.cs": part,
        "One/Order.Lines.cs": part,
        "Two/Order.cs": part,
        "One/A.cs": "namespace Shop;\nclass A { Order order; }\n",
        "Two/B.cs": "namespace Shop;\nclass B { Order order; }\n",
    }
    assert implicit_uses(files, "One/A.cs") == {"One/Order.Lines.cs": ("Order",), "One/Order.cs": ("Order",)}
    assert implicit_uses(files, "Two/B.cs") == {"Two/Order.cs": ("Order",)}


@pytest.mark.parametrize(
    "text",
    ["", "<Project", OSError("unreadable"), "<PackageReference Include=", "\0\0", "<Using Include=''/>"],
)
def test_malformed_project_file_is_ignored(text: str | OSError) -> None:
    files = {"App.csproj": text, "Model/User.cs": USER, "a.cs": "using Shop.Model;\nclass A { User user; }\n"}
    assert import_targets_with_names(files, "a.cs") == ["Model/User.cs(User)"]


def test_string_that_names_a_type_leads_to_its_file() -> None:
    resolver = resolver_of({"Model/User.cs": USER, "a.cs": "class A { }\n"}, "a.cs")
    assert resolver.text_targets("a.cs", "Shop.Model.User") == ("Model/User.cs",)
    assert resolver.text_targets("a.cs", "Shop.Model.Nobody") == ()


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/Shop.Web/Orders.cs", True),
        ("Shop.Tests/Orders.cs", True),
        ("Shop.UnitTests/Orders.cs", True),
        ("src/OrderTests.cs", True),
        ("src/Contest.cs", False),
        ("src/Latest/Orders.cs", False),
        ("src/Testing/Fakes.cs", False),
    ],
)
def test_test_paths_are_recognized(path: str, is_test: bool) -> None:
    assert CSHARP.is_test_path(path) is is_test


def test_roles_and_test_candidates_follow_the_path() -> None:
    assert CSHARP.role_of_path("Forms/Main.Designer.cs") is Role.GENERATED
    assert CSHARP.role_of_path("Data/Migrations/20200101120000_Init.cs") is Role.GENERATED
    assert CSHARP.role_of_path("Data/Main.cs") is None
    assert CSHARP.test_candidates("src/Order.cs")[:2] == ("OrderTests.cs", "OrderTest.cs")
