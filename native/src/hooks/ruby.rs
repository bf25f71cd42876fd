use crate::chars::is_identifier;
use crate::frames::{HandlerHead, ImportDraft, Text};
use crate::table::EdgeKind;
use crate::walk::Walk;
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_ARGUMENT_BYTES: usize = 200;

/// A rescue clause without a type catches every StandardError.
pub fn handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let kinds = node.child_by_field_name("exceptions").map_or(Vec::new(), |kinds| walk.named_children(kinds));
    let variable = node.child_by_field_name("variable");
    HandlerHead {
        caught: kinds.into_iter().map(|kind| Cow::Owned(walk.text(kind).trim_start_matches('*').to_owned())).collect(),
        error_name: walk.text_of(variable.and_then(|variable| variable.named_child(0))),
        ..HandlerHead::default()
    }
}

/// The import that a call makes; None if its path is only known at run time.
pub fn import_call<'t>(walk: &Walk<'t>, target: &str, arguments: Node<'t>) -> Option<ImportDraft<'t>> {
    let first = arguments.named_child(0)?;
    if first.end_byte() - first.start_byte() > MAX_ARGUMENT_BYTES {
        return None;
    }
    let argument = walk.text(first);
    if target == "autoload" {
        return autoload(walk, &argument, arguments);
    }
    let mut path = path_of(walk, &argument)?;
    if target == "load" && !path.ends_with(".rb") && !path.contains('/') {
        return None;
    }
    if target == "require_relative" && !["./", "../", "/"].iter().any(|start| path.starts_with(start)) {
        path = format!("./{path}");
    }
    Some(ImportDraft { target: Cow::Owned(path), ..ImportDraft::default() })
}

fn path_of(walk: &Walk, argument: &str) -> Option<String> {
    let patterns = &walk.table.hook_patterns;
    let string = &patterns["ruby.requires:_STRING"].pattern;
    if let Some(found) = string.full_match(argument.as_bytes(), 0, argument.len()) {
        let (start, end) = found.group(1)?;
        return (end > start).then(|| argument[start..end].to_owned());
    }
    let pieces: Vec<&str> = patterns["ruby.requires:_STRING_TAIL"]
        .pattern
        .find_all(argument.as_bytes(), 0, argument.len())
        .iter()
        .filter_map(|found| found.group(1))
        .filter(|(start, end)| end > start)
        .map(|(start, end)| argument[start..end].trim_matches('/'))
        .collect();
    let pieces = pieces.join("/");
    if pieces.is_empty() {
        return None;
    }
    if patterns["ruby.requires:_FILE_FOLDER"].pattern.contains(argument.as_bytes()) {
        return Some(format!("./{pieces}"));
    }
    // `__FILE__` counts as a folder: the first `..` only leaves the file itself.
    let rest = pieces.strip_prefix("../").filter(|_| argument.contains("__FILE__"))?;
    Some(format!("./{rest}"))
}

fn autoload<'t>(walk: &Walk<'t>, argument: &str, arguments: Node<'t>) -> Option<ImportDraft<'t>> {
    let name = argument.trim_matches([':', '"', '\'']);
    if !is_identifier(name) {
        return None;
    }
    let path = match arguments.named_child(1) {
        Some(second) => path_of(walk, &walk.text(second))?,
        None => format!(":{name}"),
    };
    let name: Text<'t> = Cow::Owned(name.to_owned());
    Some(ImportDraft {
        target: Cow::Owned(path),
        names: vec![(name.clone(), name)],
        kind: Some(EdgeKind::Deferred),
        ..ImportDraft::default()
    })
}
