"""Control flow: what complexity and nesting are made of."""

from __future__ import annotations

from crimes.languages.engine.nodes import Node, first_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.handlers import handle, is_handler, open_error_branch, raise_, return_
from crimes.languages.engine.walk.nesting import keyword, nest
from crimes.languages.engine.walk.repeats import note_chain, note_operands, note_switch, note_ternary
from crimes.languages.engine.walk.state import Walk, guards_hold, part
from crimes.languages.engine.walk.uses import call_with_block

JUMPS = frozenset({"break", "continue", "goto", "next", "redo", "retry", "fallthrough"})


def enter_tests(walk: Walk) -> None:
    """Note that what a node holds is there for tests only."""

    def leave() -> None:
        walk.test_scopes -= 1

    walk.test_scopes += 1
    walk.on_leave(leave)


def if_(walk: Walk, node: Node, entry: Entry) -> None:
    frame = walk.frame
    frame.cyclomatic += 1
    if walk.open_handlers:
        walk.note_in_handlers("decide", node)
    if walk.error_syntax.branch is not None:
        open_error_branch(walk, node, part(node, entry, "then"))
    conditions = walk.import_syntax.conditions
    if conditions and frame is walk.module:
        condition, then = part(node, entry, "condition"), part(node, entry, "then")
        kind = conditions.get(walk.slice(condition)) if condition is not None else None
        if kind is not None and then is not None:
            walk.import_guards.append((then.start_byte, then.end_byte, kind))
    tests_only = walk.test_syntax.conditions
    if tests_only and frame is walk.module:
        condition = part(node, entry, "condition")
        if condition is not None and walk.slice(condition) in tests_only:
            enter_tests(walk)
    if node.id in walk.else_ifs:
        frame.add_flat_cost()
    else:
        nest(walk, node, entry)
        note_chain(walk, node, entry)
    other = part(node, entry, "else")
    if other is not None:
        if not other.child_count:  # the keyword: take what follows it
            other = other.next_named_sibling or other
        if walk.role(other) == "if":
            walk.else_ifs.add(other.id)
        elif walk.role(other) != "elseif":
            frame.add_flat_cost()


def elseif(walk: Walk, node: Node, entry: Entry) -> None:
    walk.frame.cyclomatic += 1
    walk.frame.add_flat_cost()
    other = part(node, entry, "else")
    if other is not None and walk.role(other) != "elseif":
        walk.frame.add_flat_cost()


def else_(walk: Walk, node: Node, entry: Entry) -> None:
    only = first_child(node) if node.named_child_count == 1 else None
    if only is not None and walk.role(only) == "if":
        walk.else_ifs.add(only.id)
        return
    walk.frame.add_flat_cost()
    if walk.inside and walk.inside[-1] == "try":
        walk.open_tries[-1].has_else = True


def loop(walk: Walk, node: Node, entry: Entry) -> None:
    walk.frame.cyclomatic += 1
    nest(walk, node, entry)


def switch(walk: Walk, node: Node, entry: Entry) -> None:
    nest(walk, node, entry)
    note_switch(walk, node)


def case(walk: Walk, node: Node, entry: Entry) -> None:
    if entry.guards and not guards_hold(node, entry):
        return  # a default
    if is_handler(walk, node):
        handle(walk, node, entry)
        return
    walk.frame.cyclomatic += 1
    walk.frame.cases += 1
    if walk.error_syntax.branch is not None:
        open_error_branch(walk, node, part(node, entry, "body"))


def ternary(walk: Walk, node: Node, entry: Entry) -> None:
    walk.frame.cyclomatic += 1
    nest(walk, node, entry, control=0)
    note_ternary(walk, node)


def comprehension_if(walk: Walk, node: Node, entry: Entry) -> None:
    walk.frame.cyclomatic += 1


def logical(walk: Walk, node: Node, entry: Entry) -> None:
    """A run of one operator costs 1, however long; `x && <Tag/>` only chooses what is shown."""
    if not guards_hold(node, entry):
        if walk.open_handlers and _is_push(part(node, entry, "operator")):
            walk.note_in_handlers("assign", node)
        block = part(node, entry, "block")
        if block is not None:
            call_with_block(walk, node, block)
        return
    if node.start_byte < walk.directive_end:
        return
    frame = walk.frame
    frame.cyclomatic += 1
    if walk.role(part(node, entry, "right")) == "markup":
        return
    left, operator = part(node, entry, "left"), part(node, entry, "operator")
    note_operands(walk, node, entry, left, part(node, entry, "right"))
    if walk.syntax.operators_nest_right:
        _continue_run(walk, node, entry)
        if node.id in walk.continued:
            return
    if left is not None and operator is not None and left.kind_id == node.kind_id:
        inner = part(left, entry, "operator")
        if inner is not None and inner.kind_id == operator.kind_id:
            return
    frame.add_flat_cost()


def _is_push(operator: Node | None) -> bool:
    """Whether an operator stores or prints something: `failed << name`, `cerr << name`."""
    return operator is not None and operator.type == "<<"


def _continue_run(walk: Walk, node: Node, entry: Entry) -> None:
    """Mark the next operator of the same kind as part of this run, where operators nest to the right."""
    right = part(node, entry, "right")
    while right is not None and walk.role(right) != "logical":
        right = part(right, entry, "right")
    if right is not None and right.kind_id == node.kind_id:
        walk.continued.add(right.id)


def transfer(walk: Walk, node: Node, entry: Entry) -> None:
    """A return, throw or jump, where the grammar has one kind of node for all; the keyword decides."""
    word = keyword(walk, node)
    if word == "return":
        return_(walk, node, entry)
    elif word == "throw":
        raise_(walk, node, entry)
    else:
        jump(walk, node, entry)


def directive(walk: Walk, node: Node, entry: Entry) -> None:
    """A condition for the compiler: it decides nothing at run time."""
    condition = part(node, entry, "condition")
    if condition is not None:
        walk.directive_end = condition.end_byte
    if "name" in entry.parts and _holds_tests(walk, node, entry):
        walk.test_scopes += 1
        walk.on_leave(lambda: _leave_test_scope(walk))


def _holds_tests(walk: Walk, node: Node, entry: Entry) -> bool:
    """Whether code under a directive is built only for tests: `#ifdef UNIT_TEST` without an `#else`."""
    tests, name = walk.test_syntax.compiler_conditions, part(node, entry, "name")
    if tests is None or name is None or not tests.fullmatch(walk.text(name)):
        return False
    return part(node, entry, "defined") is not None and part(node, entry, "else") is None


def _leave_test_scope(walk: Walk) -> None:
    walk.test_scopes -= 1


def jump(walk: Walk, node: Node, entry: Entry) -> None:
    word = keyword(walk, node)
    if word not in JUMPS:
        return  # a label before something else
    if entry.guards and guards_hold(node, entry):  # only a jump to a label costs
        walk.frame.add_flat_cost()
    if walk.open_handlers:
        value = part(node, entry, "value")
        walk.note_in_handlers(word if value is None else "return_value", node)


def with_(walk: Walk, node: Node, entry: Entry) -> None:
    walk.top_statement(node, "with", "")


def literal(walk: Walk, node: Node, entry: Entry) -> None:
    """Lines inside an outermost multi-line literal are data, not logic."""
    start, end = node.start_byte, node.end_byte
    if walk.source.find(b"\n", start, end) < 0:
        return
    first, last = walk.lines.line(start), walk.lines.last_line(end)
    if last > first + 1:
        spans = walk.frame.literals
        if not spans or spans[-1][1] < last:
            spans.append((first, last))


def markup(walk: Walk, node: Node, entry: Entry) -> None:
    """Conditions inside markup choose what is shown; they do not count for a function's own complexity."""
    frame = walk.frame
    frame.markup += 1
    literal(walk, node, entry)

    def leave() -> None:
        frame.markup -= 1

    walk.on_leave(leave)
