use crate::frames::{HandlerHead, ImportDraft, Text};
use crate::table::EdgeKind;
use crate::walk::Walk;
use crate::words::without;
use std::borrow::Cow;
use tree_sitter::Node;

/// `use A\B as C` is the name B of A, called C here.
fn clause<'t>(walk: &Walk<'t>, node: Node<'t>, prefix: &str) -> ImportDraft<'t> {
    let children = walk.named_children(node);
    let name = children.iter().find(|child| matches!(child.kind(), "name" | "qualified_name"));
    let name = walk.text_of(name.copied());
    let qualified = if prefix.is_empty() { name.into_owned() } else { format!("{prefix}\\{name}") };
    let qualified = qualified.trim_matches('\\').replace('\\', ".");
    let (target, last) = qualified.rsplit_once('.').unwrap_or(("", &qualified));
    let alias = walk.text_of(node.child_by_field_name("alias"));
    let last: Text<'t> = Cow::Owned(last.to_owned());
    let alias = if alias.is_empty() { last.clone() } else { alias };
    ImportDraft { target: Cow::Owned(target.to_owned()), names: vec![(last, alias)], ..ImportDraft::default() }
}

pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    if node.kind() != "namespace_use_declaration" {
        return include(walk, &walk.text(node)).into_iter().collect();
    }
    let body = node.child_by_field_name("body");
    let mut prefix = String::new();
    for child in walk.named_children(node) {
        if child.kind() == "namespace_name" {
            prefix.push_str(&walk.text(child));
        }
    }
    let prefix = if body.is_some() { prefix.as_str() } else { "" };
    walk.named_children(body.unwrap_or(node))
        .into_iter()
        .filter(|child| child.kind() == "namespace_use_clause")
        .map(|child| clause(walk, child, prefix))
        .collect()
}

/// An include of a literal path: `require __DIR__ . '/x.php'`. A path with a variable is unknown.
fn include<'t>(walk: &Walk<'t>, text: &str) -> Option<ImportDraft<'t>> {
    let quoted = &walk.table.hook_patterns["php:_QUOTED"].pattern;
    let pieces: Vec<&str> = quoted
        .find_all(text.as_bytes(), 0, text.len())
        .iter()
        .filter_map(|found| found.group(1))
        .map(|(start, end)| &text[start..end])
        .collect();
    let bare = without(quoted, text);
    let bare = bare.as_deref().unwrap_or(text);
    let rest = without(&walk.table.hook_patterns["php:_INCLUDE_WORDS"].pattern, bare);
    let [piece] = pieces[..] else { return None };
    if !rest.as_deref().unwrap_or(bare).is_empty() {
        return None;
    }
    let target = if text.contains("__DIR__") || text.contains("__FILE__") {
        format!("./{}", piece.trim_start_matches('/'))
    } else {
        piece.to_owned()
    };
    Some(ImportDraft { target: Cow::Owned(target), kind: Some(EdgeKind::Runtime), ..ImportDraft::default() })
}

/// The name without its leading backslash, unless the file imports another type of that name.
fn error_type<'t>(walk: &Walk<'t>, name: Text<'t>) -> Text<'t> {
    let bare = name.trim_start_matches('\\').to_owned();
    if bare == name {
        return name;
    }
    let ending = format!("\\{bare};");
    let is_other = walk.source.split(|byte| *byte == b'\n').any(|line| {
        line.starts_with(b"use ")
            && line.iter().position(|byte| *byte == b';').is_some_and(|end| line[4..=end].ends_with(ending.as_bytes()))
    });
    if is_other {
        name
    } else {
        Cow::Owned(bare)
    }
}

pub fn handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let kinds = node.child_by_field_name("type").map_or(Vec::new(), |kinds| walk.named_children(kinds));
    HandlerHead {
        caught: kinds.into_iter().map(|kind| error_type(walk, walk.text(kind))).collect(),
        error_name: walk.text_of(node.child_by_field_name("name")),
        ..HandlerHead::default()
    }
}
