"""Where Swift names lead: modules of targets and of projects, types inside types, extensions; and what is outside."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import Role
from tests.kit.resolving import implicit_uses, import_targets_with_names

SWIFT = by_id["swift"]
PACKAGE = """// swift-tools-version:5.9
import PackageDescription
let package = Package(
    name: "Shop", // .target(name: "Gone")
    dependencies: [.package(url: "https://example.org/swift-log.git", from: "1.0.0")],
    targets: [
        .target(name: "Core", dependencies: [.product(name: "Logging", package: "swift-log")]),
        .executableTarget(name: "App", dependencies: [.target(name: "Core"), .target(name: "Odd")]),
        .target(name: "Odd", dependencies: ["Core"], path: "Elsewhere/Odd"),
        .target(name: "Absent"),
        .target(name: "CLib"),
        .binaryTarget(name: "Blob", path: "Blob.xcframework"),
        .testTarget(name: "CoreTests", dependencies: ["Core"]),
    ]
)
"""
USER = 'public struct User {\n    public enum Kind { case plain }\n}\npublic func greet(_ user: User) -> String { "" }\n'
TREE = {
    "Package.swift": PACKAGE,
    "Sources/Core/User.swift": USER,
    "Sources/Core/Order.swift": "public class Order { enum Kind { case a } }\n",
    "Sources/Core/User+Mail.swift": 'extension User {\n    public func mailEverybody() {}\n    public var shortTitle: String { "" }\n}\n',
    "Sources/CLib/lib.c": "int x;\n",
    "Elsewhere/Odd/Odd.swift": "public struct Odd {}\n",
}


@pytest.mark.parametrize(
    ("written", "leads"),
    [
        ("import Core\nlet a = User()", ["Sources/Core/User.swift(User)"]),
        ("@testable import Core\nvar a: [User?]", ["Sources/Core/User.swift(User)"]),
        ("import struct Core.User\nvar a: User", ["Sources/Core/User.swift(User)"]),
        ("import Core\nvar a: Core.User", ["Sources/Core/User.swift(User)"]),
        ("import Core\nvar a: User.Kind", ["Sources/Core/User.swift(Kind,User)"]),
        ("import Core\ngreet(x)", ["Sources/Core/User.swift(greet)"]),
        ("import Core\nx.mailEverybody()", ["Sources/Core/User+Mail.swift(mailEverybody)"]),
        ("import Core\nx.shortTitle.trimmed()", ["Sources/Core/User+Mail.swift(shortTitle)"]),
        ("import Core\nfunc f<User>(_ user: User) {}", ["known"]),  # any type, not that one
        ("import Core", ["known"]),  # nothing of it is named
        ("import Odd\nlet a = Odd()", ["Elsewhere/Odd/Odd.swift(Odd)"]),
        ("import CLib\nx()", ["known"]),  # a target of another language
        ("import Absent", ["unresolved"]),  # declared, and not there
        ("import Gone", ["external Gone"]),
        ("import Blob", ["external Blob"]),
        ("import Logging\nlet a = Logger()", ["external Logging"]),
        ("import Foundation.NSURL", ["external Foundation"]),
        ("#if canImport(UIKit)\nimport UIKit\n#endif", ["external UIKit"]),
    ],
)
def test_every_form_of_import_resolves(written: str, leads: list[str]) -> None:
    assert (
        import_targets_with_names({**TREE, "Sources/App/main.swift": written}, "Sources/App/main.swift")
        == leads
    )


def test_a_type_of_the_own_module_hides_one_of_another() -> None:
    files = {
        **TREE,
        "Sources/App/User.swift": "struct User {}\n",
        "Sources/App/main.swift": "import Core\nlet a = User()\n",
    }
    assert import_targets_with_names(files, "Sources/App/main.swift") == ["known"]
    assert implicit_uses(files, "Sources/App/main.swift") == {"Sources/App/User.swift": ("User",)}


def test_a_module_passes_on_what_it_exports() -> None:
    files = {
        **TREE,
        "Elsewhere/Odd/Odd.swift": "@_exported import Core\npublic struct Odd {}\n",
        "Sources/App/main.swift": "import Odd\nlet a = Order()\n",
    }
    assert import_targets_with_names(files, "Sources/App/main.swift") == ["Sources/Core/Order.swift(Order)"]


def test_modules_that_export_each_other_terminate() -> None:
    files = {
        **TREE,
        "Elsewhere/Odd/Odd.swift": "@_exported import Core\n",
        "Sources/Core/Order.swift": "@_exported import Odd\npublic class Order {}\n",
        "Sources/App/main.swift": "import Odd\nlet a = Order()\n",
    }
    assert import_targets_with_names(files, "Sources/App/main.swift") == ["Sources/Core/Order.swift(Order)"]


def test_files_of_a_module_see_each_other() -> None:
    files = {
        **TREE,
        "Sources/Core/Shop.swift": "func f(_ o: Order) { greet(o.user); o.user.mailEverybody() }\n",
    }
    assert implicit_uses(files, "Sources/Core/Shop.swift") == {
        "Sources/Core/Order.swift": ("Order",),
        "Sources/Core/User+Mail.swift": ("mailEverybody",),
        "Sources/Core/User.swift": ("greet",),
    }
    assert implicit_uses(files, "Sources/Core/User+Mail.swift") == {"Sources/Core/User.swift": ("User",)}


def test_nested_name_leads_to_the_type_in_scope() -> None:
    files = {**TREE, "Sources/Core/Kinds.swift": "extension Order { func f(_ kind: Kind) {} }\n"}
    assert implicit_uses(files, "Sources/Core/Kinds.swift") == {"Sources/Core/Order.swift": ("Kind", "Order")}


def test_nested_name_is_not_visible_elsewhere() -> None:
    files = {
        **TREE,
        "Sources/Core/Path.swift": "struct Path { enum Result { case up } }\n",
        "Sources/Core/Load.swift": "func f() -> Result<Int, Error> { .success(1) }\n",
    }
    assert implicit_uses(files, "Sources/Core/Load.swift") == {}


def test_common_method_names_lead_nowhere() -> None:
    files = {
        **TREE,
        "Sources/Core/List.swift": "extension User { func append(_ x: Int) {} }\n",
        "Sources/Core/Shop.swift": "func f() { rows.append(1); rows[0].go() }\n",
    }
    assert implicit_uses(files, "Sources/Core/Shop.swift") == {}


PROJECT = """
/* Begin PBXNativeTarget section */
		AA /* My App */ = {
			isa = PBXNativeTarget;
			name = "My App";
			productName = Reader;
		};
		BB = {isa = XCSwiftPackageProductDependency; productName = Alamofire;};
"""


def test_an_xcode_project_is_one_module() -> None:
    files = {
        "ios/Reader.xcodeproj/project.pbxproj": PROJECT,
        "ios/Reader/Model/Feed.swift": "struct Feed {}\n",
        "ios/Reader/View.swift": "import Alamofire\nlet feed = Feed()\n",
        "ios/ReaderTests/FeedTests.swift": "@testable import Reader\n@testable import My_App\nlet feed = Feed()\n",
        "other/Feed.swift": "struct Feed {}\n",
    }
    assert import_targets_with_names(files, "ios/Reader/View.swift") == ["external Alamofire"]
    assert import_targets_with_names(files, "ios/ReaderTests/FeedTests.swift") == ["known", "known"]
    assert implicit_uses(files, "ios/Reader/View.swift") == {"ios/Reader/Model/Feed.swift": ("Feed",)}
    assert implicit_uses(files, "ios/ReaderTests/FeedTests.swift") == {
        "ios/Reader/Model/Feed.swift": ("Feed",)
    }


def test_package_target_precedes_an_xcode_project_that_builds_it() -> None:
    files = {
        "Package.swift": 'Package(name: "p", targets: [.target(name: "Reader", path: "Source")])',
        "Source/Feed.swift": "public struct Feed {}\n",
        "Example/Reader.xcodeproj/project.pbxproj": PROJECT,
        "Example/View.swift": "import Reader\nlet feed = Feed()\n",
    }
    assert import_targets_with_names(files, "Example/View.swift") == ["Source/Feed.swift(Feed)"]


def test_without_a_manifest_the_tree_is_one_module() -> None:
    files = {"a/A.swift": "struct A {}\n", "b/B.swift": "let a = A()\n"}
    assert implicit_uses(files, "b/B.swift") == {"a/A.swift": ("A",)}


def test_nearer_of_two_definitions_is_used() -> None:
    files = {
        "iOS/Color.swift": "struct Color {}\n",
        "iOS/View.swift": "let color = Color()\n",
        "Mac/Color.swift": "struct Color {}\n",
    }
    assert implicit_uses(files, "iOS/View.swift") == {"iOS/Color.swift": ("Color",)}


def test_nearer_of_two_packages_with_one_module_is_used() -> None:
    manifest = 'Package(name: "p", targets: [.target(name: "Kit"), .target(name: "Run")])'
    files = {
        f"{package}/{name}": text
        for package in ("one", "two")
        for name, text in {
            "Package.swift": manifest,
            "Sources/Kit/Kit.swift": "public struct Kit {}\n",
            "Sources/Run/main.swift": "import Kit\nlet kit = Kit()\n",
        }.items()
    }
    assert import_targets_with_names(files, "two/Sources/Run/main.swift") == [
        "two/Sources/Kit/Kit.swift(Kit)"
    ]


@pytest.mark.parametrize(
    "manifest",
    [
        OSError("unreadable"),
        "",
        ".target(name: ",
        'Package(targets: [.target(name: "Core", path: "../../outside")',
        '.target(name: "\\(x)")' + "(" * 5000,
        "\x00\ufffd",
    ],
)
def test_malformed_manifest_never_breaks_resolution(manifest: str | OSError) -> None:
    files = {
        "Sources/Core/User.swift": USER,
        "Sources/App/main.swift": "import Core\nlet a = User()\n",
        "Package@swift-5.9.swift": "let x = 1",
        "Package.swift": manifest,
        "X.xcodeproj/project.pbxproj": manifest,
    }
    assert list(implicit_uses(files, "Sources/App/main.swift")) == ["Sources/Core/User.swift"]


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("Package.swift", Role.CONFIG),
        ("Package@swift-5.9.swift", Role.CONFIG),
        ("Pods/Alamofire/Source/AF.swift", Role.VENDORED),
        ("Carthage/Checkouts/Quick/Quick.swift", Role.VENDORED),
        ("Sources/App/Api.pb.swift", Role.GENERATED),
        ("App/Generated/Strings.swift", Role.GENERATED),
        ("Play.playground/Contents.swift", Role.EXAMPLE),
        ("Sources/App/PackageList.swift", None),
    ],
)
def test_roles_follow_the_path(path: str, role: Role | None) -> None:
    assert SWIFT.role_of_path(path) is role


@pytest.mark.parametrize(
    "banner",
    [
        "// swiftlint:disable all\n// Generated using SwiftGen — https://example.org\n",
        "// Generated using Sourcery 2.1.7 — https://example.org\n// DO NOT EDIT\n",
        "//\n// This is a generated file, do not edit!\n// Generated by R.swift\n//\n",
        "// DO NOT EDIT.\n//\n// Generated by the Swift generator plugin for the protocol buffer compiler.\n",
        "// @generated\n// This file was automatically generated and should not be edited.\n",
    ],
)
def test_generated_banners_are_recognized(banner: str) -> None:
    assert read_facts(SWIFT, f"{banner}\nimport Foundation\n".encode()).generated


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("Tests/CoreTests/Support.swift", True),
        ("ReaderUITests/Flow.swift", True),
        ("Sources/Core/UserTests.swift", True),
        ("Spec/UserSpec.swift", True),
        ("Sources/Core/Contests/Latest.swift", False),
        ("Sources/XCTVapor/Tester.swift", False),
    ],
)
def test_test_paths_are_recognized(path: str, is_test: bool) -> None:
    assert SWIFT.is_test_path(path) is is_test


def test_syntax_the_grammar_lacks_is_read_without_errors() -> None:
    source = b"""func f() {
    nonisolated(unsafe) var found = 1
    #warning("later")
    done(.success(()))
    for try await line in try file.lines { use(line) }
    rows.with(\\.[index], 1) // as written: ()
    return ()
}
enum E { case all(_: Int) }
"""
    facts = read_facts(SWIFT, source)
    assert not facts.errors
    assert [call.target for call in facts.calls] == ["done", ".success", "use", "rows.with"]
    assert facts.comments[0].text == "// as written: ()"


def test_an_unknown_construct_stays_an_error() -> None:
    assert read_facts(SWIFT, b"func f( { ) nonisolated(unsafe) var x = 1 }}}\n").errors
