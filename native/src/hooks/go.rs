use crate::chars::{self, find, rfind, rstrip_bytes};
use crate::frames::{HandlerHead, ImportDraft};
use crate::walk::Walk;
use crate::words::{call_target, strip_text};
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_LOOK_BACK_BYTES: usize = 2000;
const MAX_CONDITION_BYTES: usize = 300;

pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let target = strip_text(walk.text_of(node.child_by_field_name("path")), &['"', '`']);
    if target.is_empty() {
        return Vec::new();
    }
    vec![ImportDraft { target, alias: walk.text_of(node.child_by_field_name("name")), ..ImportDraft::default() }]
}

/// The handler in an `if` or a case, if its condition checks whether a call failed.
pub fn error_branch<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    let condition = node.child_by_field_name("condition").or_else(|| node.child_by_field_name("value"))?;
    let start = condition.start_byte();
    let text = walk.cut(start, condition.end_byte().min(start + MAX_CONDITION_BYTES));
    find(text, b"rr", 0, text.len())?;
    let mut body = walk.named_children(node).into_iter().find(|child| child.kind() == "statement_list");
    let search = |path: &str| {
        let pattern = &walk.table.hook_patterns[path];
        let found = pattern.pattern.search(text, 0, text.len())?;
        let group = |name: &str| {
            let number = pattern.groups.get(name)?;
            found.group(*number).map(|(start, end)| &text[start..end])
        };
        Some((group("name").unwrap_or(b""), group("kind"), group("call")))
    };
    let mut caught = Vec::new();
    let compared = search("go.errors:_ERROR_PREDICATE").or_else(|| search("go.errors:_EQUALS"));
    let name = match compared {
        Some((name, kind, call)) => {
            let kind = kind.filter(|kind| !kind.is_empty()).or(call).unwrap_or(b"");
            if kind == b"nil" {
                body = node.child_by_field_name("alternative");
                if body.is_none_or(|body| body.kind() != "block") {
                    return None;
                }
                search("go.errors:_SUCCEEDED")?.0
            } else {
                caught.push(String::from_utf8_lossy(kind));
                name
            }
        }
        None => search("go.errors:_FAILED")?.0,
    };
    let (guarded, outlives) = guarded(walk, node, name);
    let error_name = String::from_utf8_lossy(name);
    Some(HandlerHead { caught, error_name, guarded, body, body_is_value: false, outlives })
}

/// The span of the statement that sets the error, and whether the variable was declared before it.
fn guarded<'t>(walk: &Walk<'t>, node: Node<'t>, name: &[u8]) -> (Option<(usize, usize)>, bool) {
    let source = walk.source;
    let initializer = node.child_by_field_name("initializer");
    let end = initializer.map_or(node.start_byte(), |initializer| initializer.end_byte());
    let earliest =
        initializer.map_or(end.saturating_sub(MAX_LOOK_BACK_BYTES), |initializer| initializer.start_byte());
    let pattern = &walk.table.hook_patterns["go.errors:_ASSIGNED"].pattern;
    let mut at = end;
    loop {
        match rfind(source, name, earliest, at) {
            None => return (None, false),
            Some(found) => at = found,
        }
        if at == 0 || !chars::is_white(source[at - 1]) {
            continue;
        }
        if let Some(assigned) = pattern.match_at(source, at + name.len(), source.len()) {
            let start = initializer.map_or(at, |initializer| initializer.start_byte());
            let length = rstrip_bytes(walk.cut(at, end)).len();
            let declares = walk.cut(assigned.start, assigned.end).contains(&b':');
            return (Some((start, at + length)), !declares);
        }
    }
}

/// `_ = f()` and `x, _ := f()`: whether the discarded value is an error depends on `f`.
pub fn discards<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
    if right.named_child_count() != 1 || right.kind() != "expression_list" {
        return None;
    }
    let targets = walk.slice(left);
    if targets != b"_" && !targets.ends_with(b", _") && !targets.ends_with(b",_") {
        return None;
    }
    let call = right.named_child(0)?;
    let arguments = call.child_by_field_name("arguments")?;
    if call.kind() != "call_expression" {
        return None;
    }
    let target = call_target(walk.p(), walk.source, call.start_byte(), arguments.start_byte());
    Some(HandlerHead { caught: vec![Cow::Owned(target.into_owned())], ..HandlerHead::default() })
}
