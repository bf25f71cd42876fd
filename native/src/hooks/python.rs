use crate::chars;
use crate::frames::{HandlerHead, ImportDraft, Text};
use crate::walk::Walk;
use crate::words::squeeze;
use std::borrow::Cow;
use tree_sitter::Node;

fn name_and_alias<'t>(walk: &Walk<'t>, node: Node<'t>) -> (Text<'t>, Text<'t>) {
    if node.kind() == "aliased_import" {
        let (name, alias) = (node.child_by_field_name("name"), node.child_by_field_name("alias"));
        return (walk.text_of(name), walk.text_of(alias));
    }
    (walk.text(node), Cow::Borrowed(""))
}

pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let kind = node.kind();
    if kind == "future_import_statement" {
        return Vec::new();
    }
    let mut cursor = node.walk();
    let named: Vec<_> =
        node.children_by_field_name("name", &mut cursor).map(|child| name_and_alias(walk, child)).collect();
    if kind == "import_statement" {
        return named
            .into_iter()
            .map(|(name, alias)| {
                let target = if name.contains(' ') { Cow::Owned(name.replace(' ', "")) } else { name };
                ImportDraft { target, alias, ..ImportDraft::default() }
            })
            .collect();
    }
    let Some(module) = node.child_by_field_name("module_name") else { return Vec::new() };
    let text = walk.text(module);
    let target = if text.contains(chars::is_space) { Cow::Owned(squeeze(&text, "")) } else { text };
    let mut names: Vec<_> = named
        .into_iter()
        .map(|(name, alias)| {
            let alias = if alias.is_empty() { name.clone() } else { alias };
            (name, alias)
        })
        .collect();
    if names.is_empty() && walk.named_children(node).iter().any(|child| child.kind() == "wildcard_import") {
        names.push((Cow::Borrowed("*"), Cow::Borrowed("*")));
    }
    vec![ImportDraft { target, names, ..ImportDraft::default() }]
}

pub fn handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let Some(mut value) = node.child_by_field_name("value") else { return HandlerHead::default() };
    let mut error_name = Cow::Borrowed("");
    if value.kind() == "as_pattern" {
        error_name = walk.text_of(value.child_by_field_name("alias"));
        value = value.named_child(0).unwrap_or(value);
    }
    let types = if matches!(value.kind(), "tuple" | "parenthesized_expression") {
        walk.named_children(value)
    } else {
        vec![value]
    };
    let caught = types.into_iter().map(|item| walk.text(item)).collect();
    HandlerHead { caught, error_name, ..HandlerHead::default() }
}
