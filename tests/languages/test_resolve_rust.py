"""Where Rust paths lead: module trees, declarations, manifests, names passed on, macros."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from crimes.analyses.import_graph import ImportGraph, build
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.languages import by_id
from crimes.languages.linking.link import link
from crimes.model.facts import Role
from crimes.model.repository import SourceFile
from tests.kit.resolving import facts_of, implicit_uses, import_targets

RUST = by_id["rust"]
PACKAGE = '[package]\nname = "my-shop"\nedition = "2021"\n'


def import_graph(files: Mapping[str, str]) -> ImportGraph:
    facts = facts_of(files)
    sources = [SourceFile(path, "rust", Role.SOURCE, 1) for path in facts]
    read = {path: text.encode() for path, text in files.items()}.__getitem__
    repo = link(Path(), sources, facts, frozenset(files), Config(), read)
    return build(Context(repo, Config()))


CRATE = {
    "Cargo.toml": PACKAGE,
    "src/lib.rs": "pub mod cart;\npub mod price;\nmod wire { pub mod inner; }\npub use price::Price as Cost;\n",
    "src/cart/mod.rs": "pub mod line;\npub struct Cart;\nuse std::fmt;\n",
    "src/cart/line.rs": "pub struct Line;\npub fn add() {}\n",
    "src/price.rs": "pub mod money;\npub struct Price;\npub enum Kind { Net, Gross }\n",
    "src/price/money.rs": "pub const CENT: u8 = 1;\npub use super::Kind;\n",
    "src/wire/inner.rs": "pub struct Wire;\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use crate::cart::Cart;", ["src/cart/mod.rs"]),
        ("use crate::cart::line::Line;", ["src/cart/line.rs"]),
        ("use crate::cart::line;", ["src/cart/line.rs"]),
        ("use crate::cart::line::*;", ["src/cart/line.rs"]),
        ("use crate::cart::{self, line::{Line, add as plus}};", ["src/cart/mod.rs", "src/cart/line.rs"]),
        ("use super::price::money::CENT;", ["src/price/money.rs"]),
        ("use self::Own; struct Own;", ["src/user.rs"]),
        ("use crate::Cost;", ["src/price.rs"]),
        ("use crate::price::money::Kind;", ["src/price.rs"]),
        ("use crate::price::Kind::{Net, Gross};", ["src/price.rs"]),
        ("use crate::wire::inner::Wire;", ["src/wire/inner.rs"]),
        ("use crate::price::made_by_a_macro;", ["src/price.rs"]),
        ("use std::io::{self, Read};", ["external"] * 2),
        ("use core::fmt;", ["external"]),
        ("use serde::Serialize;", ["unresolved"]),
        ("use crate::{cart::Cart, price::Price};", ["src/cart/mod.rs", "src/price.rs"]),
        ("fn f() { use crate::cart::Cart; }", ["src/cart/mod.rs"]),
        ("mod t { use super::super::cart::Cart; }", ["src/cart/mod.rs"]),
        ("mod t { mod u { use super::super::super::cart::Cart; } }", ["src/cart/mod.rs"]),
        ("mod t { use super::*; }", ["src/user.rs"]),
        ("cfg_if! { if #[cfg(unix)] { use crate::cart::Cart; } }", ["src/cart/mod.rs"]),
    ],
)
def test_every_form_of_use_resolves(text: str, expected: list[str]) -> None:
    files = CRATE | {"src/lib.rs": CRATE["src/lib.rs"] + "mod user;\n", "src/user.rs": text}
    assert import_targets(files, "src/user.rs") == expected


def test_module_declaration_is_an_edge_only_without_another_use() -> None:
    files = CRATE | {"src/lib.rs": "mod cart;\nmod price;\nmod gone;\npub use price::Price;\n"}
    assert import_targets(files, "src/lib.rs") == ["src/cart/mod.rs", "known", "unresolved", "src/price.rs"]


def test_a_declared_test_module_is_no_dependency() -> None:
    files = {"src/lib.rs": "#[cfg(test)]\nmod tests;\n", "src/tests.rs": "use super::*;\n"}
    assert import_targets(files, "src/lib.rs") == ["known"]
    assert import_targets(files, "src/tests.rs") == ["src/lib.rs"]


@pytest.mark.parametrize(
    "declaration",
    [
        '#[cfg(unix)]\n#[path = "os/unix.rs"]\nmod os;',
        '#[cfg_attr(unix, path = "os/unix.rs")]\nmod os;',
        'cfg_unix! {\n    #[path = "os/unix.rs"]\n    mod os;\n}',
    ],
)
def test_a_stated_path_is_seen_from_the_folder_of_the_file(declaration: str) -> None:
    files = {
        "src/lib.rs": "pub mod sys;\n",
        "src/sys.rs": f"{declaration}\npub use os::Handle;\n",
        "src/os/unix.rs": "mod raw;\npub use raw::Handle;\n",
        "src/os/raw.rs": "pub struct Handle;\n",
    }
    assert import_targets(files, "src/sys.rs")[-1] == "src/os/raw.rs"


def test_platform_variants_of_a_module_are_all_reached() -> None:
    files = {
        "src/lib.rs": '#[cfg(unix)]\n#[path = "unix.rs"]\nmod imp;\n#[cfg(windows)]\n#[path = "windows.rs"]\nmod imp;\n'
        "use imp::open;\n",
        "src/unix.rs": "pub fn open() {}\n",
        "src/windows.rs": "pub fn open() {}\n",
    }
    assert import_targets(files, "src/lib.rs")[-1] == "src/unix.rs src/windows.rs"


WORKSPACE = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n[workspace.dependencies]\nmy-core = { path = "crates/core" }\n',
    "crates/core/Cargo.toml": '[package]\nname = "my-core"\nedition = "2021"\n[lib]\nname = "heart"\n',
    "crates/core/src/lib.rs": "pub mod io;\npub use io::Reader;\n#[macro_export]\nmacro_rules! beat { () => {} }\n",
    "crates/core/src/io.rs": "pub struct Reader;\n",
    "crates/app/Cargo.toml": PACKAGE + "[dependencies]\nmy-core.workspace = true\n"
    'heart2 = { package = "my-core", path = "../core" }\nserde-json = "1"\n[target."cfg(unix)".dev-dependencies]\nnix = "0"\n',
    "crates/app/src/lib.rs": "pub struct App;\n",
    "crates/app/src/main.rs": "mod cli;\nuse my_shop::App;\n",
    "crates/app/src/cli.rs": "pub fn run() {}\n",
}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("crates/app/src/main.rs", "use my_core::Reader;", "crates/core/src/io.rs crates/core/src/lib.rs"),
        ("crates/app/src/main.rs", "use heart2::io::Reader;", "crates/core/src/io.rs crates/core/src/lib.rs"),
        ("crates/app/src/main.rs", "use ::my_core::Reader;", "crates/core/src/io.rs crates/core/src/lib.rs"),
        ("crates/app/src/main.rs", "use my_core;", "crates/core/src/lib.rs"),
        ("crates/app/src/main.rs", "extern crate my_core as c;", "crates/core/src/lib.rs"),
        ("crates/app/src/main.rs", "use my_core::beat;", "crates/core/src/lib.rs"),
        ("crates/app/src/main.rs", "use serde_json::Value;", "external"),
        ("crates/app/src/main.rs", "use nix::fcntl;", "external"),
        ("crates/app/src/main.rs", "use elsewhere::X;", "unresolved"),
        ("crates/app/src/main.rs", "use my_shop::App;", "crates/app/src/lib.rs"),
        ("crates/app/src/main.rs", "use crate::App;", "crates/app/src/main.rs"),
        ("crates/app/tests/shop.rs", "use my_shop::App;", "crates/app/src/lib.rs"),
        ("crates/app/examples/big/main.rs", "use my_shop::App;", "crates/app/src/lib.rs"),
        (
            "crates/app/benches/speed.rs",
            "use my_core::Reader;",
            "crates/core/src/io.rs crates/core/src/lib.rs",
        ),
        ("crates/app/src/bin/tool.rs", "use my_shop::App;", "crates/app/src/lib.rs"),
        ("crates/app/build.rs", "use std::env;", "external"),
    ],
)
def test_crates_of_a_workspace_resolve(path: str, text: str, expected: str) -> None:
    assert import_targets(WORKSPACE | {path: text}, path) == [expected]


def test_targets_with_explicit_paths_resolve() -> None:
    files = {
        "Cargo.toml": PACKAGE + '[lib]\npath = "lib/all.rs"\n[[bin]]\nname = "b"\npath = "tool/start.rs"\n',
        "lib/all.rs": "mod part;\nuse part::Part;\n",
        "lib/part.rs": "pub struct Part;\n",
        "tool/start.rs": "mod part;\nuse part::Other;\nuse my_shop::X;\n",
        "tool/part.rs": "pub struct Other;\n",
    }
    assert import_targets(files, "lib/all.rs")[-1] == "lib/part.rs"
    assert import_targets(files, "tool/start.rs")[1:] == ["tool/part.rs", "lib/all.rs"]


def test_explicit_test_target_owns_its_modules() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "a"\nautotests = false\n[[test]]\nname = "t"\npath = "tests/all.rs"\n',
        "tests/all.rs": "mod util;\nmod one;\npub struct Dir;\n",
        "tests/one.rs": "use crate::Dir;\nuse util::Helper;\n",
        "tests/util.rs": "pub struct Helper;\n",
    }
    assert import_targets(files, "tests/one.rs") == ["tests/all.rs", "tests/util.rs"]


def test_before_2018_paths_begin_at_the_root_of_the_crate() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "old"\n',
        "src/lib.rs": "mod a;\nmod b;\n",
        "src/a.rs": "use b::B;\nuse ::b::B;\n",
        "src/b.rs": "pub struct B;\n",
    }
    assert import_targets(files, "src/a.rs") == ["src/b.rs", "src/b.rs"]


def test_modules_resolve_without_a_manifest() -> None:
    files = {"src/main.rs": "mod a;\nuse a::A;\nuse serde::X;\n", "src/a.rs": "pub struct A;\n"}
    assert import_targets(files, "src/main.rs") == ["known", "src/a.rs", "external"]


def test_a_file_that_a_macro_declares_is_found_by_its_place() -> None:
    files = CRATE | {
        "src/hidden/mod.rs": "pub struct Hidden;\n",
        "src/cart/line.rs": "use crate::hidden::Hidden;\n",
    }
    assert import_targets(files, "src/cart/line.rs") == ["src/hidden/mod.rs"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fn f() { crate::cart::line::add(); }", ["src/cart/line.rs"]),
        ("fn f(x: super::price::Price) {}", ["src/price.rs"]),
        ("use crate::cart;\nfn f() { cart::line::add(); }", ["src/cart/line.rs"]),
        ("fn f() { show!(crate::cart::line::add(1)); }", ["src/cart/line.rs"]),
        ('#[serde(with = "crate::price")]\nstruct S;', ["src/price.rs"]),
        ("mod t { fn f() { super::super::price::Kind::Net; } }", ["src/price.rs"]),
        ("use crate::cart::line::*;\nstruct S(Line);", ["src/cart/line.rs"]),
        ("use crate::price::money::*;\nfn f() { Kind::Net; }", ["src/price.rs"]),
        ("fn f() { std::mem::drop(1); Self::x(); Vec::new(); }", []),
        ("pub(in crate::cart) struct S;", []),
    ],
)
def test_paths_without_a_use_declaration_are_uses(text: str, expected: list[str]) -> None:
    files = CRATE | {"src/lib.rs": CRATE["src/lib.rs"] + "mod user;\n", "src/user.rs": text}
    assert sorted(implicit_uses(files, "src/user.rs")) == expected


def test_macros_are_seen_without_an_import() -> None:
    files = {
        "src/lib.rs": "#[macro_use]\nmod macros;\nmod user;\n",
        "src/macros.rs": "macro_rules! total { ($x:expr) => { $crate::user::sum($x) } }\n",
        "src/user.rs": "pub fn sum(x: u8) {}\nfn f() { total!(1); sum(2); }\n",
    }
    assert sorted(implicit_uses(files, "src/user.rs")) == ["src/macros.rs"]
    assert sorted(implicit_uses(files, "src/macros.rs")) == ["src/user.rs"]


def test_prelude_import_leads_to_the_definition() -> None:
    files = {
        "src/lib.rs": "pub mod prelude { pub use crate::a::A; }\nmod a;\nmod b;\n",
        "src/a.rs": "pub struct A;\n",
        "src/b.rs": "use crate::prelude::A;\n",
    }
    assert import_targets(files, "src/b.rs") == ["src/a.rs"]


def test_cyclic_reexports_terminate() -> None:
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "pub use crate::b::X;\npub use crate::b::*;\n",
        "src/b.rs": "pub use crate::a::X;\npub use crate::a::*;\nuse crate::a::Y;\n",
    }
    assert import_targets(files, "src/b.rs") == ["src/a.rs"] * 3


def test_included_files_resolve() -> None:
    files = {
        "src/lib.rs": 'include!("table.rs");\ninclude!("gone.rs");\n',
        "src/table.rs": "const A: u8 = 1;\n",
    }
    assert import_targets(files, "src/lib.rs") == ["src/table.rs", "external"]


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[package",
        "package = 1\n",
        '[package]\nname = ["x"]\nedition = 3\nbuild = {}\n',
        "[package]\nname = 'x'\n[lib]\npath = 5\n[[bin]]\n[dependencies]\nserde = 7\nself = { path = '.' }\n",
        "[package]\nname = 'x'\n[lib]\npath = '../../../etc/passwd'\n[dependencies]\ny = { path = '../..' }\n",
        "[package]\nname = 'x'\nbin = 3\n[dependencies]\ny = { workspace = true }\n[workspace]\ndependencies = 4\n",
        "\ud7ff\x00\x01",
    ],
)
def test_malformed_manifest_is_ignored(manifest: str) -> None:
    files = {"Cargo.toml": manifest, "src/lib.rs": "mod a;\nuse a::A;\n", "src/a.rs": "pub struct A;\n"}
    assert import_targets(files, "src/lib.rs") == ["known", "src/a.rs"]


def test_packages_that_reexport_each_other_terminate() -> None:
    files = {
        "a/Cargo.toml": "[package]\nname = 'a'\nedition = '2021'\n[dependencies]\nb = { path = '../b' }\n",
        "a/src/lib.rs": "pub use b::B;\n",
        "b/Cargo.toml": "[package]\nname = 'b'\nedition = '2021'\n[dependencies]\na = { path = '../a' }\n",
        "b/src/lib.rs": "pub use a::B;\n",
    }
    assert import_targets(files, "a/src/lib.rs") == ["b/src/lib.rs"]


def test_file_that_declares_itself_terminates() -> None:
    files = {"src/lib.rs": '#[path = "lib.rs"]\nmod again;\nuse again::again::X;\n'}
    assert import_targets(files, "src/lib.rs")[-1] in ("src/lib.rs", "unresolved")


def test_reexport_alone_is_no_sure_dependency() -> None:
    files = {
        "src/lib.rs": "mod a;\nmod b;\nmod c;\npub use a::A;\npub use b::B;\npub use c::C;\npub struct Root(B);\n",
        "src/a.rs": "pub struct A;\n",
        "src/b.rs": "pub struct B;\n",
        "src/c.rs": "use crate::{A, Root};\npub struct C;\n",
    }
    graph = import_graph(files)
    assert graph.direct("src/a.rs") == ("src/c.rs", "src/lib.rs")
    assert graph.sure["src/a.rs"] == 1, "the file that passes it on does not use it"
    assert graph.sure["src/b.rs"] == 2, "the root uses it, and so does whoever uses the root"


def test_a_use_of_the_root_is_no_use_of_all_its_modules() -> None:
    files = {
        "src/lib.rs": "mod a;\nmod b;\npub struct Error;\npub mod wide { pub use crate::b::*; }\n",
        "src/a.rs": "use crate::Error;\npub struct A;\n",
        "src/b.rs": "use crate::a::A;\npub struct B;\n",
    }
    assert import_graph(files).sure == {"src/a.rs": 1, "src/b.rs": 0, "src/lib.rs": 2}
