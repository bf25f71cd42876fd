//! One file's bytes to its facts, in the encoding that the cache stores.

use crate::encode::Encoder;
use crate::frames::{ClassFrame, FunctionFrame, Text};
use crate::lines::Lines;
use crate::shapes::shapes_of;
use crate::table::Table;
use crate::tangle::measure_tangles;
use crate::walk::Walk;
use std::borrow::Cow;
use foldhash::HashSet;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{Node, ParseOptions, Parser, Tree};

const MAX_HIDDEN: usize = 50;

/// What is asked of one file.
pub struct Request<'a> {
    pub source: &'a [u8],
    pub language: &'a str,
    pub generated: &'a str,
    pub lines: Option<usize>, // of the file around it, where the source is only a part of one
    pub allowance: Duration,
}

pub enum Answer {
    Facts(Vec<u8>),
    Declined(&'static str),
}

/// The tree of a source; None if that takes longer than it may.
fn parse(parser: &mut Parser, source: &[u8], allowance: Duration) -> Option<Tree> {
    let deadline = Instant::now() + allowance;
    let mut steps = 0u32;
    let mut check = |_: &tree_sitter::ParseState| {
        steps = steps.wrapping_add(1);
        if steps % 16 == 0 && Instant::now() > deadline {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut check);
    let length = source.len();
    let mut input = |at: usize, _| if at < length { &source[at..] } else { &[][..] };
    let tree = parser.parse_with_options(&mut input, None, Some(options));
    parser.reset();
    tree
}

/// The source as the language's repair rewrites it, if that changes anything but its length.
fn repaired(repair: &Py<PyAny>, source: &[u8]) -> PyResult<Option<Vec<u8>>> {
    Python::attach(|py| {
        let repaired = repair.call1(py, (PyBytes::new(py, source),))?;
        let repaired = repaired.bind(py).cast::<PyBytes>()?.as_bytes();
        Ok((repaired.len() == source.len() && repaired != source).then(|| repaired.to_vec()))
    })
}

pub fn read(parser: &mut Parser, table: &Table, request: &Request) -> Answer {
    let source = request.source;
    const TOO_LONG: Answer = Answer::Declined("parsing took too long");
    let Some(mut tree) = parse(parser, source, request.allowance) else { return TOO_LONG };
    if let (Some(repair), true) = (&table.repair, tree.root_node().has_error()) {
        match repaired(repair, source) {
            Ok(None) => {}
            Ok(Some(source)) => match parse(parser, &source, request.allowance) {
                Some(repaired) => tree = repaired,
                None => return TOO_LONG,
            },
            Err(_) => return Answer::Declined("repairing it failed"),
        }
    }
    let root = tree.root_node();
    crate::sre::take_gave_up();
    let mut walk = Walk::new(source, table);
    if !walk.run(&tree) {
        return Answer::Declined("the tree is too deep");
    }
    if let Some(refine) = table.hooks.refine {
        refine(&mut walk, root);
    }
    walk.lines.seal();
    measure_tangles(&mut walk);
    let facts = encode(&mut walk, root, request);
    if crate::sre::take_gave_up() {
        return Answer::Declined("a pattern went too deep");
    }
    Answer::Facts(facts)
}

fn encode<'t>(walk: &mut Walk<'t>, root: Node<'t>, request: &Request) -> Vec<u8> {
    let mut out = Encoder::new(walk.source.len() / 2 + 200);
    let lines = &walk.lines;
    for at in 1..walk.frames.len() {
        let class = walk.frames[at].class_index;
        if class >= 0 && !walk.frames[at].words.is_empty() {
            let fields = &walk.classes[class as usize].fields;
            let frame = &mut walk.frames[at];
            for word in &frame.words {
                if fields.contains(*word) {
                    frame.attributes.insert(String::from_utf8_lossy(word));
                }
            }
        }
    }
    let functions = &walk.frames[1..];
    out.array(22);
    out.text(request.language);
    out.int(request.lines.unwrap_or(lines.count) as i64);
    out.int(lines.code(1, lines.count.max(1) as i64));
    out.text(request.generated);
    out.array(walk.classes.len());
    for class in &walk.classes {
        encode_class(&mut out, class, functions, lines);
    }
    out.array(walk.imports.len());
    for import in &walk.imports {
        out.array(7);
        out.text(&import.target);
        out.int(import.line as i64);
        out.text(import.kind.text());
        out.array(import.names.len());
        for (name, alias) in &import.names {
            out.array(2);
            out.text(name);
            out.text(alias);
        }
        out.text(&import.alias);
        out.int(import.function);
        out.bool(import.guarded);
    }
    encode_exports(&mut out, walk);
    out.texts(walk.definitions.iter());
    encode_errors(&mut out, walk, root);
    out.array(0); // mentions
    let packages: BTreeSet<&str> = walk.packages.iter().map(String::as_str).collect();
    out.texts(packages.iter());
    encode_hidden(&mut out, walk);
    walk.repeats.sort_by(|one, other| (one.line, one.kind).cmp(&(other.line, other.kind)));
    out.array(walk.repeats.len());
    for repeat in &walk.repeats {
        out.array(9);
        out.text(repeat.kind);
        out.int(repeat.line as i64);
        out.int(repeat.end as i64);
        out.int(repeat.first as i64);
        out.int(repeat.function);
        out.text(&repeat.text);
        out.int(repeat.tokens as i64);
        out.int(repeat.alike as i64);
        out.int(repeat.arms as i64);
    }
    out.array(walk.overwrites.len());
    for overwrite in &walk.overwrites {
        out.array(3);
        out.text(&overwrite.name);
        out.int(overwrite.line as i64);
        out.int(overwrite.function);
    }
    out.array(walk.frames.len() - 1);
    for frame in &walk.frames[1..] {
        encode_function(&mut out, frame, &walk.lines);
    }
    out.array(walk.calls.len());
    for call in &walk.calls {
        out.array(4);
        out.text(&call.target);
        out.int(if call.offset == usize::MAX { 0 } else { walk.lines.line(call.offset) as i64 });
        out.int(call.function);
        out.bool(call.awaited);
    }
    walk.handlers.sort_by_key(|handler| (handler.start, handler.end));
    out.array(walk.handlers.len());
    for handler in &walk.handlers {
        out.array(10);
        out.int(handler.start as i64);
        out.int(handler.end as i64);
        out.int(handler.body_start as i64);
        out.int(handler.body_end as i64);
        out.int(handler.function);
        out.texts(handler.caught.iter());
        out.text(&handler.error_name);
        out.texts(handler.does.iter());
        out.bool(handler.has_finally);
        out.bool(handler.has_else);
    }
    out.array(walk.comments.len());
    for comment in &walk.comments {
        out.array(5);
        out.int(comment.line as i64);
        out.int(comment.end as i64);
        out.text(&comment.text);
        out.bool(comment.own_line);
        out.bool(comment.doc);
    }
    out.array(walk.texts.len());
    for text in &walk.texts {
        out.array(4);
        out.text(&text.value);
        out.int(text.line as i64);
        out.int(text.function);
        out.text(&text.call);
    }
    out.array(walk.statements.len());
    for statement in &walk.statements {
        out.array(5);
        out.int(statement.line as i64);
        out.int(statement.end as i64);
        out.text(statement.kind);
        out.text(&statement.name);
        out.text(statement.value);
    }
    encode_references(&mut out, walk);
    let shapes = shapes_of(walk);
    out.array(shapes.len());
    for (function, packed) in &shapes {
        out.array(2);
        out.int(*function as i64);
        out.bytes(packed);
    }
    out.finish()
}

fn encode_class(out: &mut Encoder, class: &ClassFrame, functions: &[FunctionFrame], lines: &Lines) {
    let spans: i64 = class.spans.iter().map(|(start, end)| lines.code(*start as i64, *end as i64)).sum();
    let attributes: BTreeSet<&Text> =
        class.methods.iter().flat_map(|method| functions[*method as usize].attributes.iter()).collect();
    out.array(9);
    out.text(&class.name);
    out.text(&class.qualname);
    out.int(class.start as i64);
    out.int(class.end as i64);
    out.int(lines.code(class.start as i64, class.end as i64) + spans);
    out.texts(class.bases.iter());
    out.texts(class.decorators.iter());
    out.array(class.methods.len());
    for method in &class.methods {
        out.int(*method);
    }
    out.texts(attributes.iter());
}

/// Stated exports, or every public name where the language exports those without saying so.
fn encode_exports(out: &mut Encoder, walk: &Walk) {
    if !walk.exports.is_empty() || walk.has_export_list || !walk.table.exports_all_public {
        let mut seen = HashSet::default();
        // Overloads are one export.
        let first: Vec<_> = walk.exports.iter().filter(|export| seen.insert(export.name.as_ref())).collect();
        out.array(first.len());
        for export in first {
            out.array(3);
            out.text(&export.name);
            out.int(export.line as i64);
            out.text(&export.local);
        }
        return;
    }
    let public: Vec<_> = walk.definitions.iter().filter(|name| !name.starts_with('_')).collect();
    out.array(public.len());
    for name in public {
        out.array(3);
        out.text(name);
        out.int(1);
        out.text(name);
    }
}

fn encode_errors<'t>(out: &mut Encoder, walk: &Walk<'t>, root: Node<'t>) {
    let mut errors = walk.errors.clone();
    if errors.is_empty() && root.has_error() {
        // An error the walk does not visit: a missing token, or one inside a type.
        let mut node = root;
        while let Some(inner) = walk.children(node).into_iter().find(Node::has_error) {
            node = inner;
        }
        errors.push((walk.lines.line(node.start_byte()), walk.lines.last_line(node.end_byte())));
    }
    out.array(errors.len());
    for (line, end) in errors {
        out.array(2);
        out.int(line as i64);
        out.int(end as i64);
    }
}

/// Each kind of hidden character per line, with its count.
fn encode_hidden(out: &mut Encoder, walk: &Walk) {
    let mut counts: BTreeMap<(usize, u32), i64> = BTreeMap::new();
    if !walk.source.is_ascii() {
        for found in walk.p().unseen.find_all(walk.source, 0, walk.source.len()) {
            let text = String::from_utf8_lossy(walk.cut(found.start, found.end));
            let code = text.chars().next().map_or(0, |character| character as u32);
            *counts.entry((walk.lines.line(found.start), code)).or_default() += 1;
            if counts.len() >= MAX_HIDDEN {
                break;
            }
        }
    }
    out.array(counts.len());
    for ((line, code), count) in counts {
        out.array(3);
        out.int(line as i64);
        out.int(i64::from(code));
        out.int(count);
    }
}

fn encode_references(out: &mut Encoder, walk: &Walk) {
    let mut all: BTreeMap<Cow<[u8]>, usize> = walk.references.clone();
    let defined: HashSet<&[u8]> = walk.definitions.iter().map(|name| name.as_bytes()).collect();
    for (name, at) in &walk.free_names {
        if !walk.declared.contains(name) && !defined.contains(name) {
            all.insert(Cow::Borrowed(name), *at);
        }
    }
    all.retain(|name, _| !walk.type_parameters.contains(name.as_ref()));
    out.array(all.len());
    for (name, at) in &all {
        out.array(2);
        out.text(&String::from_utf8_lossy(name));
        out.int(walk.lines.line(*at) as i64);
    }
}

fn encode_function(out: &mut Encoder, frame: &FunctionFrame, lines: &Lines) {
    let mut own = lines.code(frame.start as i64, frame.end as i64);
    let mut literal: i64 =
        frame.literals.iter().map(|(first, last)| lines.code(*first as i64, *last as i64)).sum();
    for (first, last) in &frame.nested {
        let count = lines.code(*first, *last);
        own -= count;
        let at = frame.literals.partition_point(|span| span.0 as i64 <= *first);
        if at > 0 && *last <= frame.literals[at - 1].1 as i64 {
            literal -= count; // a function in a literal: its lines are its own
        }
    }
    let own = own.max(0);
    out.array(28);
    if frame.title.is_empty() {
        out.text(&frame.name);
        out.text(&frame.qualname);
    } else {
        out.text(&frame.title);
        if frame.holder.is_empty() {
            out.text(&frame.title);
        } else {
            out.text(&format!("{} in {}", frame.title, frame.holder));
        }
    }
    out.int(frame.start as i64);
    out.int(frame.end as i64);
    out.int(frame.parent);
    out.int(frame.class_index);
    out.int(own);
    out.int(literal.min(own));
    out.array(frame.params.len());
    for param in &frame.params {
        out.array(5);
        out.text(&param.name);
        out.bool(param.has_default);
        out.bool(param.boolean);
        out.bool(param.keyword_only);
        out.text(param.star);
    }
    out.int(frame.cyclomatic);
    out.int(frame.cases);
    out.int(frame.cognitive);
    out.int(frame.own);
    out.int(frame.nesting);
    out.bool(frame.is_async);
    out.bool(frame.anonymous);
    out.bool(frame.is_test);
    out.texts(frame.decorators.iter());
    out.text(&frame.passed_to);
    out.bool(frame.raises);
    out.bool(frame.returns_value);
    out.texts(frame.attributes.iter());
    out.text(&frame.result);
    out.bool(frame.in_test);
    out.texts(frame.writes.iter());
    out.texts(frame.returns.iter());
    match &frame.tangle {
        None => out.nil(),
        Some(tangle) => {
            out.array(8);
            out.int(tangle.published);
            out.int(tangle.cost);
            out.int(tangle.nesting);
            out.int(tangle.lines);
            out.int(tangle.code_lines);
            out.array(tangle.discounts.len());
            for (reason, cost, places) in &tangle.discounts {
                out.array(3);
                out.text(reason);
                out.int(*cost);
                out.int(*places);
            }
            out.array(tangle.arms.len());
            for arm in &tangle.arms {
                out.array(4);
                out.int(arm.line as i64);
                out.text(&arm.keyword);
                out.int(arm.cost);
                out.bool(arm.is_function);
            }
            out.int(tangle.share_of_outer);
        }
    }
    out.text(&frame.noun);
}
