use crate::chars::{cut, find, strip};
use crate::frames::{HandlerHead, ImportDraft, Text};
use crate::walk::Walk;
use crate::words::call_target;
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_CONDITION_LENGTH: usize = 100;
const MAX_HEAD_BYTES: usize = 500;

/// `import X` imports all of the module X; `import struct X.Y` one name of it.
pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let import = &walk.table.hook_patterns["swift:_IMPORT"];
    let text = walk.text(node);
    let Some(found) = import.pattern.search(text.as_bytes(), 0, text.len()) else { return Vec::new() };
    let group = |name: &str| found.group(import.groups[name]).map_or("", |(start, end)| &text[start..end]);
    let rest = group("rest");
    let name = if group("kind").is_empty() { "*" } else { rest.rsplit_once('.').map_or(rest, |(_, name)| name) };
    let name: Text<'t> = Cow::Owned(if name.is_empty() { "*" } else { name }.to_owned());
    vec![ImportDraft {
        target: Cow::Owned(group("module").to_owned()),
        names: vec![(name.clone(), name)],
        alias: Cow::Borrowed(if text.contains("@_exported") { "exported" } else { "" }),
        ..ImportDraft::default()
    }]
}

/// `catch let e as T`, `catch is T`, `catch T.case(let x)`; without a pattern the error is called `error`.
pub fn handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let patterns = &walk.table.hook_patterns;
    let pattern = |path: &str| &patterns[path].pattern;
    let opening = walk.children(node).into_iter().find(|child| child.kind() == "{");
    let opening = opening.map_or(node.end_byte(), |child| child.start_byte());
    let start = node.start_byte();
    let written = String::from_utf8_lossy(walk.cut(start, opening.min(start + MAX_HEAD_BYTES)));
    let found = pattern("swift.errors:_HEAD").match_at(written.as_bytes(), 0, written.len());
    let head = found.and_then(|found| found.group(1)).map_or("", |(start, end)| strip(&written[start..end]));
    if head.is_empty() {
        return HandlerHead { error_name: Cow::Borrowed("error"), ..HandlerHead::default() };
    }
    let bytes = head.as_bytes();
    let name = pattern("swift.errors:_ERROR_NAME").search(bytes, 0, bytes.len()).and_then(|found| found.group(1));
    let condition = pattern("swift.errors:_CONDITION").search(bytes, 0, bytes.len());
    let before = condition.as_ref().map_or(head, |found| &head[..found.start]);
    let all = |path: &str| -> Vec<&str> {
        let found = pattern(path).find_all(before.as_bytes(), 0, before.len());
        found.iter().map(|found| found.group(1).map_or("", |(start, end)| &before[start..end])).collect()
    };
    let mut caught = all("swift.errors:_CAST");
    if caught.is_empty() {
        caught = all("swift.errors:_PATTERN");
    }
    caught.retain(|kind| !matches!(*kind, "Error" | "Swift.Error" | "NSError"));
    if caught.is_empty() {
        if let Some((start, end)) = condition.and_then(|found| found.group(1)) {
            caught.push(cut(strip(&head[start..end]), MAX_CONDITION_LENGTH));
        }
    }
    HandlerHead {
        caught: caught.into_iter().map(|kind| Cow::Owned(kind.to_owned())).collect(),
        error_name: Cow::Owned(name.map_or("", |(start, end)| &head[start..end]).to_owned()),
        ..HandlerHead::default()
    }
}

/// `guard let x = try? f() else { … }`: the block handles any error.
pub fn error_branch<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    if node.kind() != "guard_statement" {
        return None;
    }
    find(walk.source, b"try?", node.start_byte(), node.end_byte())?;
    let children = walk.children(node);
    let other = children.iter().find(|child| child.kind() == "else")?;
    let body = children.iter().find(|child| child.kind() == "statements").copied();
    find(walk.source, b"try?", node.start_byte(), other.start_byte())?;
    Some(HandlerHead { guarded: Some((node.start_byte(), other.start_byte())), body, ..HandlerHead::default() })
}

/// `try? f()` as a statement, and `_ = try? f()`.
pub fn discards<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    let discarded = &walk.table.hook_patterns["swift.errors:_DISCARDED"];
    let found = discarded.pattern.match_at(walk.source, node.start_byte(), node.end_byte())?;
    if node.kind() == "try_expression" && is_used(walk, node) {
        return None;
    }
    let (start, end) = found.group(discarded.groups["call"])?;
    let target = call_target(walk.p(), walk.source, start, end).replace('?', "");
    Some(HandlerHead { caught: vec![Cow::Owned(target)], ..HandlerHead::default() })
}

/// Whether the value of an expression is used: it is part of another, or the whole body of a function.
fn is_used<'t>(walk: &Walk<'t>, node: Node<'t>) -> bool {
    let Some(block) = node.parent().filter(|block| block.kind() == "statements") else { return true };
    let Some(parent) = block.parent() else { return true };
    if block.named_child_count() > 1
        || matches!(parent.kind(), "catch_block" | "do_statement" | "if_statement" | "for_statement")
    {
        return false;
    }
    if let ("function_body", Some(around)) = (parent.kind(), parent.parent()) {
        return walk.children(around).iter().any(|child| child.kind() == "->");
    }
    matches!(parent.kind(), "lambda_literal" | "computed_property" | "computed_getter")
}
