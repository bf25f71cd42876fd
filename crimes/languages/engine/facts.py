"""One file's bytes to its facts: decode, parse and walk once. tree-sitter ends here."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from itertools import repeat
from operator import itemgetter

from msgspec.structs import replace
from tree_sitter import Node, Parser, Tree

from crimes.discovery.roles import copied_marker, generated_marker
from crimes.languages.engine.hidden import hidden_characters
from crimes.languages.engine.lines import Lines
from crimes.languages.engine.reading import Unreadable
from crimes.languages.engine.shapes import shapes_of
from crimes.languages.engine.table import table_for
from crimes.languages.engine.walk.actions import actions_of
from crimes.languages.engine.walk.frames import ClassFrame, FunctionFrame
from crimes.languages.engine.walk.shortcuts import with_shortcuts
from crimes.languages.engine.walk.state import Reader, Walk
from crimes.languages.engine.walk.tangle import measure_tangles
from crimes.languages.spec import Language
from crimes.model.facts import Call, Class, Export, FileFacts, Function, ParseError, Reference
from crimes.model.lazy_regex import regex


def as_utf8(source: bytes) -> bytes:
    """Source as UTF-8 without a byte order mark. Invalid bytes are left to the grammar."""
    if source.startswith(codecs.BOM_UTF8):
        source = source[3:]
    elif source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            source = source.decode("utf-16").encode("utf-8", "replace")
        except UnicodeDecodeError as error:
            raise Unreadable(f"not valid UTF-16: {error.reason}") from error
    if b"\0" in source:
        raise Unreadable("binary content")
    return source


# Translations of Qt programs are files of XML whose names end in `.ts`, too.
XML = regex(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml\b|!DOCTYPE TS\b)")

_readers: dict[str, tuple[Parser, Reader]] = {}


def reader_of(language: Language) -> tuple[Parser, Reader]:
    """A language's parser and what its walks share; built when the first file of the language is read."""
    if language.id not in _readers:
        if language.syntax is None:
            raise Unreadable(f"no reader for {language.name}")
        table = table_for(language.syntax.queries, language.syntax.grammar)
        actions = with_shortcuts(actions_of(table), table, language.syntax)
        _readers[language.id] = (Parser(table.grammar), Reader(language.syntax, table, actions))
    return _readers[language.id]


def is_document(language: Language, source: bytes) -> bool:
    """Whether a file that goes by the name of a program is a document of XML."""
    return language.id == "typescript" and XML.match(source) is not None


def read_facts(language: Language, source: bytes) -> FileFacts:
    """The facts of one file: a pure function of its language and bytes. Raises Unreadable."""
    source = as_utf8(source)
    if language.read is not None:
        return replace(language.read(source), hidden=hidden_characters(source, Lines(source)))
    if language.inner is not None:
        inner, code = language.inner(source)
        return replace(read_facts(inner, code), language=language.id, lines=Lines(source).count)
    if is_document(language, source):
        return FileFacts(
            language=language.id, lines=Lines(source).count, logic_lines=0, generated="an XML document"
        )
    _, reader = reader_of(language)
    walk = Walk(source, reader)
    tree = parse(language, source)
    walk.run(tree)
    refine = reader.syntax.imports.refine
    imports = refine(tree.root_node, source, walk.imports) if refine else walk.imports
    lines = walk.lines
    lines.seal()
    measure_tangles(walk)
    functions = tuple(_function(frame, walk) for frame in walk.functions)
    return FileFacts(
        language=language.id,
        lines=lines.count,
        logic_lines=lines.code(1, max(lines.count, 1)),
        generated=generated_marker(source) or copied_marker(source),
        functions=functions,
        classes=tuple(_class(frame, functions, lines) for frame in walk.classes),
        imports=tuple(imports),
        exports=_exports(walk),
        definitions=tuple(sorted(walk.definitions)),
        calls=_calls(walk),
        handlers=tuple(sorted(walk.handlers, key=lambda handler: (handler.start, handler.end))),
        comments=tuple(walk.comments),
        texts=tuple(walk.texts),
        statements=tuple(walk.statements),
        errors=tuple(walk.errors) or _hidden_error(tree.root_node, lines),
        packages=tuple(sorted(set(walk.packages))),
        references=_references(walk),
        hidden=hidden_characters(source, lines),
        repeats=tuple(sorted(walk.repeats, key=lambda repeat: (repeat.line, repeat.kind))),
        overwrites=tuple(walk.overwrites),
        shapes=shapes_of(walk.functions, source, lines),
    )


def parse(language: Language, source: bytes) -> Tree:
    """The tree of a source; parsed again after the language's `repair` if the first tree has errors. Raises Unreadable."""
    parser, reader = reader_of(language)
    repair = reader.syntax.repair
    tree = parser.parse(source)
    if repair is not None and tree.root_node.has_error:
        repaired = repair(source)
        if len(repaired) == len(source) and repaired != source:
            return parser.parse(repaired)
    return tree


def _hidden_error(root: Node, lines: Lines) -> tuple[ParseError, ...]:
    """An error the walk does not visit: a missing token, or one inside a type."""
    if not root.has_error:
        return ()
    node, deeper = root, True
    while deeper:
        inner = next((child for child in node.children if child.has_error), None)
        node, deeper = inner or node, inner is not None
    return (ParseError(lines.line(node.start_byte), lines.last_line(node.end_byte)),)


def _references(walk: Walk) -> tuple[Reference, ...]:
    lines = walk.lines
    own = walk.declared | {name.encode() for name in walk.definitions}
    free = {name: at for name, at in (walk.free_names or {}).items() if name not in own}
    return tuple(
        Reference(name.decode("utf-8", "replace"), lines.line(at))
        for name, at in sorted({**walk.references, **free}.items())
        if name not in walk.type_parameters
    )


def _calls(walk: Walk) -> tuple[Call, ...]:
    """The calls as facts: built in one go, which costs half as much as one by one during the walk."""
    if not walk.calls:
        return ()
    targets, offsets, functions, awaited = zip(*walk.calls, strict=True)
    lines = map(bisect_right, repeat(walk.starts), offsets)
    return tuple(map(Call, targets, lines, functions, awaited))


def _function(frame: FunctionFrame, walk: Walk) -> Function:
    lines = walk.lines
    attributes = frame.attributes
    if frame.words and frame.class_index >= 0:
        used = frame.words & walk.classes[frame.class_index].fields
        attributes = attributes | {name.decode("utf-8", "replace") for name in used}
    own, literal = lines.code(frame.start, frame.end), 0
    for first, last in frame.literals:
        literal += lines.code(first, last)
    for first, last in frame.nested:
        count = lines.code(first, last)
        own -= count
        at = bisect_right(frame.literals, first, key=itemgetter(0)) - 1
        if at >= 0 and last <= frame.literals[at][1]:
            literal -= count  # a function in a literal: its lines are its own
    own = max(own, 0)
    return Function(  # by position: by name it takes twice as long
        frame.title or frame.name,
        frame.qualname
        if not frame.title
        else f"{frame.title} in {frame.holder}"
        if frame.holder
        else frame.title,
        frame.start,
        frame.end,
        frame.parent,
        frame.class_index,
        own,
        min(literal, own),
        frame.params,
        frame.cyclomatic,
        frame.cases,
        frame.cognitive,
        frame.own,
        frame.nesting,
        frame.is_async,
        frame.anonymous,
        frame.is_test,
        tuple(frame.decorators),
        frame.passed_to,
        frame.raises,
        frame.returns_value,
        tuple(sorted(attributes)) if attributes else (),
        frame.result,
        frame.in_test,
        tuple(sorted(frame.writes)) if frame.writes else (),
        tuple(sorted(frame.returns)) if frame.returns else (),
        frame.tangle,
        frame.noun,
    )


def _class(frame: ClassFrame, functions: tuple[Function, ...], lines: Lines) -> Class:
    return Class(
        name=frame.name,
        qualname=frame.qualname,
        start=frame.start,
        end=frame.end,
        logic_lines=lines.code(frame.start, frame.end) + sum(lines.code(*span) for span in frame.spans),
        bases=frame.bases,
        decorators=tuple(frame.decorators),
        methods=tuple(frame.methods),
        attributes=tuple(sorted({name for method in frame.methods for name in functions[method].attributes})),
    )


def _exports(walk: Walk) -> tuple[Export, ...]:
    """Stated exports, or every public name where the language exports those without saying so."""
    if walk.exports or walk.has_export_list or not walk.import_syntax.exports_all_public:
        first = {export.name: export for export in reversed(walk.exports)}  # overloads are one export
        return tuple(export for export in walk.exports if first[export.name] is export)
    return tuple(Export(name, 1, name) for name in sorted(walk.definitions) if not name.startswith("_"))
