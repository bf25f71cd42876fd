//! C and C++: names in declarators, includes, ignored errors.

use crate::frames::{HandlerHead, ImportDraft};
use crate::table::EdgeKind;
use crate::walk::Walk;
use crate::words::strip_text;
use tree_sitter::Node;

const MAX_DECLARATOR_DEPTH: usize = 20;

/// Name and parameters of a function: the innermost of its declarators has them.
pub fn declarator<'t>(walk: &Walk<'t>, node: Node<'t>) -> (Option<Node<'t>>, Option<Node<'t>>) {
    let (mut name, mut parameters) = (None, None);
    let mut next = node.child_by_field_name("declarator");
    for _ in 0..MAX_DECLARATOR_DEPTH {
        let Some(inner) = next else { break };
        if matches!(inner.kind(), "function_declarator" | "abstract_function_declarator") {
            name = inner.child_by_field_name("declarator").or(name);
            parameters = inner.child_by_field_name("parameters");
        }
        if inner.kind() == "operator_cast" {
            return (inner.child_by_field_name("type"), None);
        }
        next = inner.child_by_field_name("declarator").or_else(|| {
            // Inside `(…)` or `&…` it has no field.
            walk.named_children(inner).into_iter().find(|child| child.kind().ends_with("_declarator"))
        });
    }
    (name, parameters)
}

/// An include; angle brackets stay in the target. A continuation is linked as part of the file that includes it.
pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let path = walk.text_of(node.child_by_field_name("path"));
    let target = if path.starts_with('"') { strip_text(path, &['"']) } else { path };
    if target.is_empty() {
        return Vec::new();
    }
    let plain = target.trim_matches(['<', '>']).as_bytes();
    let continues = walk.table.hook_patterns["c.syntax:_CONTINUATION"].pattern.contains(plain);
    let kind = continues.then_some(EdgeKind::Linked);
    vec![ImportDraft { target, kind, ..ImportDraft::default() }]
}

/// `if (save(x) < 0) {}`: a failure check with an empty body. Any other body is C's way to pass the error on.
pub fn error_branch<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    if node.kind() != "if_statement" || node.child_by_field_name("alternative").is_some() {
        return None;
    }
    let (condition, body) = (node.child_by_field_name("condition")?, node.child_by_field_name("consequence")?);
    if body.kind() != "compound_statement" || walk.named_children(body).iter().any(|child| child.kind() != "comment") {
        return None;
    }
    let span = (condition.start_byte(), condition.end_byte());
    walk.table.hook_patterns["c.syntax:_FAILURE_CHECK"].pattern.full_match(walk.source, span.0, span.1)?;
    Some(HandlerHead { guarded: Some(span), body: Some(body), ..HandlerHead::default() })
}

/// A catch clause; `...` catches everything.
pub fn handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let Some(parameters) = node.child_by_field_name("parameters") else { return HandlerHead::default() };
    let mut children = walk.named_children(parameters).into_iter();
    let Some(parameter) = children.find(|child| child.kind() == "parameter_declaration") else {
        return HandlerHead::default();
    };
    let name = walk.text_of(parameter.child_by_field_name("declarator"));
    HandlerHead {
        caught: vec![walk.text_of(parameter.child_by_field_name("type"))],
        error_name: strip_text(name, &['&', '*', ' ']),
        ..HandlerHead::default()
    }
}
