"""Where Go imports lead: modules, workspaces, packages by the names used; and what files of one package share."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.model.facts import Role
from tests.kit.resolving import implicit_uses, import_targets_with_names, resolutions

GO = by_id["go"]


def main(imports: str, body: str = "") -> str:
    return f"package main\n\nimport (\n{imports}\n)\n\nfunc main() {{\n{body}\n}}\n"


SHOP = {
    "go.mod": "module example.com/shop // the module\n\ngo 1.24\n\nrequire github.com/x/y/v2 v2.1.0\n",
    "cart/cart.go": "package cart\n\ntype Cart struct{}\n\nfunc New() *Cart { return nil }\n",
    "cart/price.go": "package cart\n\nconst Tax = 19\n\nfunc Total() int { return 0 }\n",
    "cart/price_test.go": "package cart\n\nfunc Fake() {}\n",
    "cart/export_test.go": "package cart_test\n\nfunc Outside() {}\n",
}


@pytest.mark.parametrize(
    ("imports", "body", "expected"),
    [
        ('"example.com/shop/cart"', "cart.Total()", ["cart/price.go(Total)"]),
        ('"example.com/shop/cart"', "cart.New().Add()", ["cart/cart.go(New)"]),
        ('"example.com/shop/cart"', "print(cart.Tax)", ["cart/price.go(Tax)"]),
        ('"example.com/shop/cart"', "var c cart.Cart", ["cart/cart.go(Cart)"]),
        ('"example.com/shop/cart"', "x := &cart.Cart{}", ["cart/cart.go(Cart)"]),
        (
            '"example.com/shop/cart"',
            "f(cart.New(), cart.Tax)",
            ["cart/cart.go(New) cart/price.go(Tax)"],
        ),
        ('c "example.com/shop/cart"', "c.Total()", ["cart/price.go(Total)"]),
        ('. "example.com/shop/cart"', "Total()", ["cart/price.go(Total)"]),
        ("`example.com/shop/cart`", "cart.Total()", ["cart/price.go(Total)"]),
        ('"example.com/shop/cart"', "cart.Made()", ["cart/cart.go() cart/price.go()"]),
        ('"example.com/shop/cart"', "cart.Fake()", ["cart/cart.go() cart/price.go()"]),
        ('_ "example.com/shop/cart"', "", ["cart/cart.go() cart/price.go()"]),
        ('"example.com/shop/missing"', "", ["unresolved"]),
        ('"example.com/shopping/cart"', "", ["external example.com/shopping/cart"]),
        ('"fmt"\n"net/http"', "", ["external fmt", "external net"]),
        ('"C"', "", ["external C"]),
        ('"./cart"', "cart.Total()", ["cart/price.go(Total)"]),
        ('"../../cart"', "", ["external ../../cart"]),
    ],
)
def test_an_import_leads_to_the_files_that_define_what_is_used(
    imports: str, body: str, expected: list[str]
) -> None:
    assert import_targets_with_names({**SHOP, "main.go": main(imports, body)}, "main.go") == expected


def test_blank_import_leads_to_files_with_init_functions() -> None:
    files = {**SHOP, "cart/register.go": "package cart\n\nfunc init() {}\n"}
    files["main.go"] = main('_ "example.com/shop/cart"')
    assert import_targets_with_names(files, "main.go") == ["cart/register.go()"]


def test_the_package_may_have_another_name_than_its_folder() -> None:
    files = {
        "go.mod": "module example.com/shop/v3\n",
        "client/v3/client.go": "package clientv3\n\nfunc New() {}\n",
        "client/v3/op.go": "package clientv3\n\nfunc Get() {}\n",
        "main.go": main('"example.com/shop/v3/client/v3"', "clientv3.Get()"),
    }
    assert import_targets_with_names(files, "main.go") == ["client/v3/op.go(Get)"]


def test_variants_for_several_systems_are_all_reached() -> None:
    files = {
        "go.mod": "module m\n",
        "disk/free_linux.go": "package disk\n\nfunc Free() {}\n",
        "disk/free_windows.go": "package disk\n\nfunc Free() {}\n",
        "disk/tool.go": "//go:build ignore\n\npackage main\n\nfunc Free() {}\n",
        "main.go": main('"m/disk"', "disk.Free()"),
    }
    assert import_targets_with_names(files, "main.go") == [
        "disk/free_linux.go(Free) disk/free_windows.go(Free)"
    ]


def test_packages_outside_are_named_as_the_manifest_names_them() -> None:
    files = {
        **SHOP,
        "main.go": main('"github.com/x/y/v2/deep/er"\n"github.com/a/b/c"\n"net/http"\n"github.com/x/yy"'),
    }
    assert [answer.package for answer in resolutions(files, "main.go")] == [
        "github.com/x/y/v2",
        "github.com/a/b",
        "net",
        "github.com/x/yy",
    ]


def test_workspace_modules_and_replacements_resolve() -> None:
    files = {
        "go.work": "go 1.24\n\nuse (\n\t.\n\t./api\n)\n\nreplace example.com/forked => ./third\n",
        "go.mod": 'module "example.com/root"\n\nreplace (\n\texample.com/old v1.0.0 => ./legacy\n\texample.com/far => example.com/near v1\n\texample.com/out => ../out\n)\n',
        "api/go.mod": "module example.com/root/api/v2\n",
        "api/kv/kv.go": "package kv\n\nfunc Get() {}\n",
        "legacy/go.mod": "module example.com/something/else\n",
        "legacy/a/a.go": "package a\n\nfunc A() {}\n",
        "third/f/f.go": "package f\n\nfunc F() {}\n",
        "main.go": main(
            '"example.com/root/api/v2/kv"\n"example.com/root/api/kv"\n"example.com/old/a"\n"example.com/far/x"\n"example.com/out/x"\n"example.com/forked/f"',
            "kv.Get()\na.A()\nf.F()",
        ),
    }
    assert (
        import_targets_with_names(files, "main.go")
        == [
            "api/kv/kv.go(Get)",
            "external example.com/root/api",  # a folder with a go.mod of its own is not part of the module around it
            "legacy/a/a.go(A)",
            "external example.com/far/x",
            "external example.com/out/x",
            "third/f/f.go(F)",
        ]
    )


def test_module_in_testdata_is_external_elsewhere() -> None:
    files = {
        "go.mod": "module m\n",
        "testdata/go.mod": "module example.com/fake\n",
        "testdata/a/a.go": "package a\n\nfunc A() {}\n",
        "testdata/b.go": main('"example.com/fake/a"', "a.A()"),
        "main.go": main('"example.com/fake/a"', "a.A()"),
    }
    assert import_targets_with_names(files, "main.go") == ["external example.com/fake/a"]
    assert import_targets_with_names(files, "testdata/b.go") == ["testdata/a/a.go(A)"]


def test_vendored_packages_are_outside() -> None:
    files = {
        "go.mod": "module m\n\nrequire github.com/x/y v1\n",
        "vendor/github.com/x/y/y.go": "package y\n\nfunc Y() {}\n",
        "main.go": main('"github.com/x/y"', "y.Y()"),
    }
    assert import_targets_with_names(files, "main.go") == ["external github.com/x/y"]


def test_module_path_is_inferred_from_imports_without_a_manifest() -> None:
    files = {
        "pkg/api/api.go": "package api\n\nfunc Serve() {}\n",
        "pkg/db/db.go": "package db\n\nfunc Open() {}\n",
        "cmd/main.go": main(
            '"github.com/acme/shop/pkg/api"\n"github.com/acme/shop/pkg/db"\n"github.com/else/api"',
            "api.Serve()\ndb.Open()",
        ),
    }
    assert import_targets_with_names(files, "cmd/main.go") == [
        "pkg/api/api.go(Serve)",
        "pkg/db/db.go(Open)",
        "external github.com/else/api",
    ]


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "module\n",
        "module (\n",
        "require (\n)\n)\n(\n",
        "replace => ./x\nreplace a =>\nreplace\n",
        "replace m => .\nreplace m/cart => ./\n",
        "\udcff\udcfe",
        OSError("unreadable"),
        "module m\nmodule other\nuse\n",
    ],
)
def test_malformed_manifest_never_breaks_resolution(manifest: str | OSError) -> None:
    files = {
        "go.mod": manifest,
        "go.work": manifest,
        "cart/cart.go": "package cart\n\nfunc New() {}\n",
        "main.go": main('"m/cart"\n"fmt"', "cart.New()"),
    }
    assert len(import_targets_with_names(files, "main.go")) == 2


def test_file_without_a_package_clause_never_breaks_resolution() -> None:
    files = {"go.mod": "module m\n", "a.go": "func (", "b.go": 'import "m"\n\nfunc b() { a() }\n'}
    assert len(import_targets_with_names(files, "b.go")) == 1
    assert implicit_uses(files, "b.go") == {}


PACKAGE = {
    "go.mod": "module m\n",
    "store.go": "package m\n\ntype Store struct{}\n\ntype row struct{}\n\nfunc (s *Store) Save() { s.flush(); s.count++ }\n",
    "flush.go": "package m\n\nfunc (s *Store) flush() { retry(nil) }\n",
    "retry.go": "package m\n\nvar Attempts, _ = 3, 4\n\nfunc retry(f func()) {}\n",
    "store_test.go": "package m\n\nfunc helper() row { return row{} }\n\nfunc TestRetry() { retry(nil) }\n",
    "more_test.go": "package m\n\nfunc TestMore() { helper() }\n",
    "outer_test.go": 'package m_test\n\nimport "m"\n\nfunc TestOuter() { m.Attempts = 1; m.Fixture() }\n',
    "export_test.go": "package m\n\nfunc Fixture() {}\n",
    "gen.go": "//go:build ignore\n\npackage main\n\nfunc main() { retry(nil) }\n",
}


def test_files_of_a_package_use_each_other_by_name() -> None:
    assert implicit_uses(PACKAGE, "store.go") == {"flush.go": ("flush",)}
    assert implicit_uses(PACKAGE, "flush.go") == {"retry.go": ("retry",), "store.go": ("Store",)}
    assert implicit_uses(PACKAGE, "retry.go") == {}
    assert implicit_uses(PACKAGE, "gen.go") == {}  # another package


def test_tests_see_their_package_but_are_not_visible_to_it() -> None:
    assert implicit_uses(PACKAGE, "store_test.go") == {"retry.go": ("retry",), "store.go": ("row",)}
    assert implicit_uses(PACKAGE, "more_test.go") == {"store_test.go": ("helper",)}
    assert implicit_uses({**PACKAGE, "bad.go": "package m\n\nfunc bad() { helper() }\n"}, "bad.go") == {}


def test_external_test_package_sees_exports_of_internal_tests() -> None:
    assert import_targets_with_names(PACKAGE, "outer_test.go") == [
        "export_test.go(Fixture) retry.go(Attempts)"
    ]
    assert implicit_uses(PACKAGE, "outer_test.go") == {}


def test_roles_and_test_candidates_follow_the_path() -> None:
    assert GO.is_test_path("a/b_test.go")
    assert not GO.is_test_path("a/test.go")
    assert GO.test_candidates("a/disk_linux_arm64.go") == ("disk_linux_arm64_test.go", "disk_test.go")
    assert GO.test_candidates("a/linux.go") == ("linux_test.go",)
    assert GO.role_of_path("a/zz_generated.deepcopy.go") is Role.GENERATED
    assert GO.role_of_path("api/kv.pb.gw.go") is Role.GENERATED
    assert GO.role_of_path("_examples/one/main.go") is Role.EXAMPLE
    assert GO.role_of_path("Godeps/_workspace/src/x.go") is Role.VENDORED
    assert GO.role_of_path("magefile.go") is Role.SCRIPT
    assert GO.role_of_path("cmd/main.go") is None
