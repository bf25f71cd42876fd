use crate::chars;
use crate::frames::{HandlerHead, Import, ImportDraft, Text};
use crate::table::EdgeKind;
use crate::walk::Walk;
use crate::words::{bound_names, strip_text};
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_USES: usize = 100;

fn specifier<'t>(walk: &Walk<'t>, node: Option<Node<'t>>) -> Text<'t> {
    strip_text(walk.text_of(node), &['"', '\'', '`'])
}

fn or<'t>(text: Text<'t>, other: &Text<'t>) -> Text<'t> {
    if text.is_empty() {
        other.clone()
    } else {
        text
    }
}

/// Names of an import clause, and whether each is a type.
fn imported<'t>(walk: &Walk<'t>, clause: Node<'t>) -> Vec<((Text<'t>, Text<'t>), bool)> {
    let mut names = Vec::new();
    for child in walk.named_children(clause) {
        match child.kind() {
            "identifier" => names.push(((Cow::Borrowed("default"), walk.text(child)), false)),
            "namespace_import" => {
                names.push(((Cow::Borrowed("*"), walk.text_of(child.named_child(0))), false));
            }
            "named_imports" => {
                for item in walk.named_children(child) {
                    if item.kind() == "import_specifier" {
                        let name = strip_text(walk.text_of(item.child_by_field_name("name")), &['"', '\'']);
                        let alias = or(walk.text_of(item.child_by_field_name("alias")), &name);
                        names.push(((name, alias), walk.text(item).starts_with("type ")));
                    }
                }
            }
            _ => {}
        }
    }
    names
}

pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let head = walk.cut(node.start_byte(), node.start_byte() + 60);
    let type_only = walk.table.hook_patterns["javascript:_TYPE_KEYWORD"].pattern.is_match(head);
    if node.kind() == "export_statement" {
        return reexports(walk, node, type_only);
    }
    let children = walk.named_children(node);
    if let Some(child) = children.iter().find(|child| child.kind() == "import_require_clause") {
        let name = walk.text_of(child.named_child(0)); // import fs = require("fs")
        let target = specifier(walk, child.child_by_field_name("source"));
        let names = vec![(Cow::Borrowed("default"), name)];
        return vec![ImportDraft { target, names, type_only, ..ImportDraft::default() }];
    }
    let Some(origin) = node.child_by_field_name("source") else { return Vec::new() };
    let names: Vec<_> = children
        .into_iter()
        .filter(|child| child.kind() == "import_clause")
        .flat_map(|child| imported(walk, child))
        .collect();
    let all_types = !names.is_empty() && names.iter().all(|(_, is_type)| *is_type);
    vec![ImportDraft {
        target: specifier(walk, Some(origin)),
        names: names.into_iter().map(|(name, _)| name).collect(),
        type_only: type_only || all_types,
        ..ImportDraft::default()
    }]
}

fn reexports<'t>(walk: &Walk<'t>, node: Node<'t>, mut type_only: bool) -> Vec<ImportDraft<'t>> {
    let Some(origin) = node.child_by_field_name("source") else { return Vec::new() };
    let mut names = Vec::new();
    for child in walk.named_children(node) {
        if child.kind() == "export_clause" {
            let mut items = walk.named_children(child);
            items.retain(|item| item.kind() == "export_specifier");
            for item in &items {
                let name = specifier(walk, item.child_by_field_name("name"));
                let alias = or(specifier(walk, item.child_by_field_name("alias")), &name);
                names.push((name, alias));
            }
            type_only = type_only
                || (!items.is_empty() && items.iter().all(|item| walk.text(*item).starts_with("type ")));
        } else if child.kind() == "namespace_export" {
            names.push((Cow::Borrowed("*"), walk.text_of(child.named_child(0))));
        }
    }
    if names.is_empty() {
        names.push((Cow::Borrowed("*"), Cow::Borrowed("*")));
    }
    let target = specifier(walk, Some(origin));
    vec![ImportDraft { target, names, type_only, reexport: true, ..ImportDraft::default() }]
}

/// Whether a statement begins with `export default`.
fn is_default(head: &[u8]) -> bool {
    let Some(rest) = head.strip_prefix(b"export") else { return false };
    let space = rest.iter().take_while(|byte| chars::is_white(**byte)).count();
    let Some(rest) = rest[space..].strip_prefix(b"default") else { return false };
    space > 0 && !rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

pub fn exports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<(Text<'t>, Text<'t>)> {
    let declaration = node.child_by_field_name("declaration").or_else(|| node.child_by_field_name("value"));
    if is_default(walk.cut(node.start_byte(), node.start_byte() + 40)) {
        let mut name = declaration.and_then(|declaration| declaration.child_by_field_name("name"));
        if declaration.is_some_and(|declaration| declaration.kind() == "identifier") {
            name = declaration;
        }
        return vec![(Cow::Borrowed("default"), or(walk.text_of(name), &Cow::Borrowed("default")))];
    }
    let mut exports = Vec::new();
    if let Some(declaration) = declaration {
        if let Some(name) = declaration.child_by_field_name("name") {
            exports.push((walk.text(name), walk.text(name)));
        }
        for item in walk.named_children(declaration) {
            if item.kind() == "variable_declarator" {
                let bound = walk.text_of(item.child_by_field_name("name"));
                exports.extend(bound_names(walk.p(), &bound).into_iter().map(|word| (word.clone(), word)));
            }
        }
        return exports;
    }
    for child in walk.named_children(node) {
        match child.kind() {
            "export_clause" => {
                for item in walk.named_children(child) {
                    let local = specifier(walk, item.child_by_field_name("name"));
                    exports.push((or(specifier(walk, item.child_by_field_name("alias")), &local), local));
                }
            }
            "namespace_export" => {
                let name = walk.text_of(child.named_child(0));
                exports.push((name.clone(), name));
            }
            "identifier" => exports.push((Cow::Borrowed("default"), walk.text(child))), // export = name
            _ => {}
        }
    }
    exports
}

pub fn handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let text = walk.text_of(node.child_by_field_name("parameter"));
    let error_name = Cow::Owned(chars::strip(text.split(':').next().unwrap_or("")).to_owned());
    HandlerHead { error_name, ..HandlerHead::default() }
}

/// Marks the imports as type-only that the compiler drops, since their names are only used as types.
pub fn erase<'t>(walk: &mut Walk<'t>, root: Node<'t>) {
    let mut is_decorated = None;
    for at in 0..walk.imports.len() {
        if erases(walk, root, &walk.imports[at], &mut is_decorated) {
            walk.imports[at].kind = EdgeKind::TypeOnly;
        }
    }
}

fn erases<'t>(walk: &Walk<'t>, root: Node<'t>, item: &Import<'t>, is_decorated: &mut Option<bool>) -> bool {
    item.kind == EdgeKind::Runtime
        && item.function == -1
        && !item.names.is_empty()
        && item.names.iter().all(|(_, alias)| {
            alias.chars().next().is_some_and(|first| chars::has(first as u32, chars::UPPER))
        })
        && !item.names.iter().any(|(_, alias)| is_needed(walk, root, alias.as_bytes(), is_decorated))
}

fn is_decorated_file(walk: &Walk) -> bool {
    let patterns = &walk.table.hook_patterns;
    let without = patterns["typescript.erased:_COMMENT"].pattern.replace(walk.source, |_, _| {});
    patterns["typescript.erased:_DECORATOR"].pattern.contains(without.as_deref().unwrap_or(walk.source))
}

fn in_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

/// Whether a name is used as a value, or as a type that a decorator emits.
fn is_needed<'t>(walk: &Walk<'t>, root: Node<'t>, name: &[u8], is_decorated: &mut Option<bool>) -> bool {
    let source = walk.source;
    let mut next = chars::find(source, name, 0, source.len());
    for _ in 0..MAX_USES {
        let Some(start) = next else { return false };
        let end = start + name.len();
        if !in_word(source.get(end)) && !in_word(source.get(if start > 0 { start - 1 } else { end })) {
            if let Some(node) = root.descendant_for_byte_range(start, end) {
                if is_value(node)
                    || (*is_decorated.get_or_insert_with(|| is_decorated_file(walk)) && is_emitted(walk, node))
                {
                    return true;
                }
            }
        }
        next = chars::find(source, name, end, source.len());
    }
    true
}

fn is_value(node: Node) -> bool {
    matches!(node.kind(), "identifier" | "shorthand_property_identifier")
        && node.parent().is_some_and(|parent| {
            !matches!(parent.kind(), "import_specifier" | "import_clause" | "namespace_import")
        })
}

/// Whether a type belongs to a constructor, or to a member or parameter with a decorator.
fn is_emitted<'t>(walk: &Walk<'t>, node: Node<'t>) -> bool {
    if node.kind() != "type_identifier" {
        return false;
    }
    let mut around = node.parent();
    while let Some(parent) = around {
        if matches!(parent.kind(), "class_body" | "implements_clause") {
            return false;
        }
        let name = if parent.kind() == "method_definition" { parent.child_by_field_name("name") } else { None };
        if name.is_some_and(|name| walk.slice(name) == b"constructor")
            || walk.named_children(parent).iter().any(|child| child.kind() == "decorator")
            || parent.prev_named_sibling().is_some_and(|before| before.kind() == "decorator")
        {
            return true;
        }
        around = parent.parent();
    }
    false
}
