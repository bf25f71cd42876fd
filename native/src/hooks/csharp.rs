use crate::chars::is_space;
use crate::frames::{HandlerHead, ImportDraft};
use crate::walk::Walk;
use std::borrow::Cow;
use tree_sitter::Node;

/// `using A.B` imports all of A.B, an alias or `using static` one type. A `global` one applies to the whole project.
pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let using = &walk.table.hook_patterns["csharp:_USING"];
    let text = walk.text(node);
    let Some(found) = using.pattern.match_at(text.as_bytes(), 0, text.len()) else { return Vec::new() };
    let group = |name: &str| found.group(using.groups[name]).map_or("", |(start, end)| &text[start..end]);
    let name: String = group("name").chars().filter(|character| !is_space(*character)).collect();
    let scope = Cow::Borrowed(if group("is_global").is_empty() { "" } else { "global" });
    let alias = group("alias");
    let (target, names) = if !alias.is_empty() || !group("static").is_empty() {
        let (target, last) = name.rsplit_once('.').unwrap_or(("", &name));
        let alias = if alias.is_empty() { last } else { alias };
        (target.to_owned(), (Cow::Owned(last.to_owned()), Cow::Owned(alias.to_owned())))
    } else {
        (name, (Cow::Borrowed("*"), Cow::Borrowed("*")))
    };
    vec![ImportDraft { target: Cow::Owned(target), names: vec![names], alias: scope, ..ImportDraft::default() }]
}

pub fn handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let mut children = walk.named_children(node).into_iter();
    let Some(child) = children.find(|child| child.kind() == "catch_declaration") else {
        return HandlerHead::default();
    };
    HandlerHead {
        caught: vec![walk.text_of(child.child_by_field_name("type"))],
        error_name: walk.text_of(child.child_by_field_name("name")),
        ..HandlerHead::default()
    }
}
