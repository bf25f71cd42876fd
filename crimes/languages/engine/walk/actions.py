"""The action for each role of the vocabulary."""

from __future__ import annotations

from crimes.languages.engine.table import KINDS, Entry, Table
from crimes.languages.engine.walk import control, definitions, handlers, infix, references, types, uses
from crimes.languages.engine.walk.state import INSIDE, Action, Actions

BY_ROLE: dict[str, Action] = {
    "function": definitions.function,
    "lambda": definitions.nesting_only,
    "class": types.class_,
    "bases": types.bases,
    "type": types.type_,
    "implementation": types.implementation,
    "anonymous_type": types.anonymous_type,
    "namespace": types.namespace,
    "package": types.package,
    "decorator": definitions.decorator,
    "binding": definitions.binding,
    "member": definitions.member,
    "field": types.field,
    "attribute": definitions.attribute,
    "name": references.name,
    "reference": references.reference,
    "type_parameter": references.type_parameter,
    "tokens": references.tokens,
    "directive": control.directive,
    "parameters": uses.parameters,
    "if": control.if_,
    "elseif": control.elseif,
    "else": control.else_,
    "loop": control.loop,
    "switch": control.switch,
    "case": control.case,
    "ternary": control.ternary,
    "comprehension_if": control.comprehension_if,
    "logical": control.logical,
    "jump": control.jump,
    "transfer": control.transfer,
    "with": control.with_,
    "markup": control.markup,
    **dict.fromkeys(("literal.list", "literal.map", "literal.set", "literal.tuple"), control.literal),
    "try": handlers.try_,
    "finally": handlers.finally_,
    "handler": handlers.handler,
    "catches": handlers.catches,
    "block": definitions.block,
    "return": handlers.return_,
    "raise": handlers.raise_,
    "assert": handlers.assert_,
    "changes": handlers.changes,
    "yields": handlers.yields,
    "await": uses.await_,
    "call": uses.call,
    "infix": infix.infix,
    "import": uses.import_,
    "export": uses.export,
    "statement": uses.statement,
    "string": uses.string,
    "comment": uses.comment,
    **dict.fromkeys(("argument", "arm", "suffix", "parameter", "values", "skip"), uses.nothing),
}


def actions_of(table: Table) -> Actions:
    """The action of each node kind; built once per language."""
    actions: Actions = [INSIDE] * KINDS
    for kind in range(table.grammar.node_kind_count):
        if not table.grammar.node_kind_is_named(kind):
            actions[kind] = None  # a token
    for kind, entry in table.entries.items():
        if entry.role not in ("argument", "arm", "suffix", "parameter", "values"):
            actions[kind] = None if entry.role == "skip" else (BY_ROLE[entry.role], entry)
    actions[KINDS - 1] = (handlers.error, Entry("error"))
    return actions
