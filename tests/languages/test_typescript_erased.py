"""Imports that leave nothing at run time, though `type` is not written."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import EdgeKind


def kind(use: str, statement: str = "import { Node } from './node'") -> EdgeKind:
    source = f"{statement};\n{use}\n"
    (item,) = read_facts(by_id["tsx"], source.encode()).imports
    return item.kind


@pytest.mark.parametrize(
    "use",
    [
        "export const f = (n: Node): Node[] => [];",
        "const all = new Map<string, Node>();",
        "class Leaf implements Node {}",
        "const x = y as Node;",
        "// Node\nconst s = 'Node'; const o = { Node: 1 }; o.Node;",
        "const NodeList = 1; const aNode = 2;",
        "",
    ],
)
def test_names_used_only_as_types_are_erased(use: str) -> None:
    assert kind(use) is EdgeKind.TYPE_ONLY


@pytest.mark.parametrize(
    "use",
    [
        "new Node();",
        "class Leaf extends Node {}",
        "Node.create();",
        "const all = { Node };",
        "const tree = <Node deep />;",
        "if (x instanceof Node) {}",
        "export { Node };",
        "const f = (n: Node) => register(Node);",
    ],
)
def test_names_used_as_values_are_kept(use: str) -> None:
    assert kind(use) is EdgeKind.RUNTIME


def test_import_is_kept_when_one_name_is_used_as_a_value() -> None:
    assert kind("const n: Node = Leaf;", "import { Node, Leaf } from './node'") is EdgeKind.RUNTIME


def test_usage_is_decided_by_the_local_name() -> None:
    assert kind("const n: Item = 1; Node();", "import { Node as Item } from './node'") is EdgeKind.TYPE_ONLY


@pytest.mark.parametrize(
    "member",
    [
        "constructor(private n: Node) {}",
        "@Get()\nread(n: Node) {}",
        "@Input() node: Node;",
        "read(@Arg() n: Node) {}",
    ],
)
def test_decorators_need_types_at_run_time(member: str) -> None:
    assert kind("@Injectable()\nclass A {\n" + member + "\n}") is EdgeKind.RUNTIME


@pytest.mark.parametrize("member", ["read(n: Node): Node { return n; }", "node: Node;"])
def test_undecorated_members_erase_their_types(member: str) -> None:
    assert kind("@Injectable()\nclass A {\n" + member + "\n}") is EdgeKind.TYPE_ONLY


def test_interface_of_a_decorated_class_is_erased() -> None:
    assert kind("@Entity()\nclass A implements Node {\n  @Column() id: string;\n}") is EdgeKind.TYPE_ONLY


def test_an_import_for_its_effect_is_kept() -> None:
    assert kind("", "import './node'") is EdgeKind.RUNTIME


def test_name_with_too_many_uses_is_taken_for_a_value() -> None:
    assert kind("let n: Node;\n" * 500) is EdgeKind.RUNTIME
