//! Java, Kotlin and Scala.

use crate::chars::{self, is_space, strip};
use crate::frames::{HandlerHead, ImportDraft, Text};
use crate::walk::Walk;
use crate::words::{squeeze, without};
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_IMPORT_LENGTH: usize = 10_000;

fn draft<'t>(target: &str, name: &str, alias: &str) -> ImportDraft<'t> {
    ImportDraft {
        target: Cow::Owned(target.to_owned()),
        names: vec![(Cow::Owned(name.to_owned()), Cow::Owned(alias.to_owned()))],
        ..ImportDraft::default()
    }
}

fn split_last(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// `import a.b.C` is the name C of a.b, `import static a.b.C.f` the name f of a.b.C.
pub fn java_imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let (mut path, mut is_all) = (None, false);
    for child in walk.named_children(node) {
        match child.kind() {
            "scoped_identifier" | "identifier" => path = Some(child),
            "asterisk" => is_all = true,
            _ => {}
        }
    }
    let target: String = walk.text_of(path).chars().filter(|character| !is_space(*character)).collect();
    if is_all {
        return vec![draft(&target, "*", "*")];
    }
    let (target, name) = split_last(&target);
    vec![draft(target, name, name)]
}

pub fn java_handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let Some(child) = walk.named_children(node).into_iter().find(|child| child.kind() == "catch_formal_parameter")
    else {
        return HandlerHead::default();
    };
    let caught = walk
        .named_children(child)
        .into_iter()
        .filter(|part| part.kind() == "catch_type")
        .flat_map(|part| walk.named_children(part))
        .map(|kind| walk.text(kind))
        .collect();
    let error_name = walk.text_of(child.child_by_field_name("name"));
    HandlerHead { caught, error_name, ..HandlerHead::default() }
}

/// `import a.b.c as d` is the name c of a.b, whatever c is.
pub fn kotlin_imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let plain = |node: Node<'t>| -> String {
        walk.text(node).chars().filter(|character| !is_space(*character) && *character != '`').collect()
    };
    let (mut path, mut alias, mut is_all) = (String::new(), String::new(), false);
    for child in walk.children(node) {
        match child.kind() {
            "qualified_identifier" => path = plain(child),
            "identifier" => alias = plain(child),
            "*" => is_all = true,
            _ => {}
        }
    }
    if is_all {
        return vec![draft(&path, "*", "*")];
    }
    if path.is_empty() {
        return Vec::new();
    }
    let (target, name) = split_last(&path);
    vec![draft(target, name, if alias.is_empty() { name } else { &alias })]
}

pub fn kotlin_handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let named = walk.named_children(node);
    let of_kind = |kind: &str| -> Vec<Text<'t>> {
        named.iter().filter(|child| child.kind() == kind).map(|child| walk.text(*child)).collect()
    };
    let error_name = of_kind("identifier").into_iter().next().unwrap_or_default();
    HandlerHead { caught: of_kind("user_type"), error_name, ..HandlerHead::default() }
}

/// `import a.b.{C => D, _}, e.f`: each part is a path and the names taken from it.
pub fn scala_imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let patterns = &walk.table.hook_patterns;
    let written = walk.text(node);
    let plain = without(&patterns["scala:_NO_PATH"].pattern, &written);
    let text = chars::cut(plain.as_deref().unwrap_or(&written), MAX_IMPORT_LENGTH);
    let renaming = &patterns["scala:_RENAMING"].pattern;
    let renamed = |text: &str| -> Option<(String, String)> {
        let found = renaming.full_match(text.as_bytes(), 0, text.len())?;
        let group = |number: usize| found.group(number).map_or(String::new(), |(start, end)| text[start..end].to_owned());
        Some((group(1), group(2)))
    };
    let mut drafts = Vec::new();
    for found in patterns["scala:_CLAUSE"].pattern.find_all(text.as_bytes(), 0, text.len()) {
        let (start, end) = found.group(1).unwrap_or((0, 0));
        let clause = strip(&text[start..end]);
        match clause.split_once('{') {
            None => {
                let (path, alias) = renamed(clause).unwrap_or_else(|| (clause.to_owned(), String::new()));
                let path = squeeze(&path, "");
                let (target, name) = split_last(&path);
                let (name, alias) = scala_name(name, &alias);
                drafts.push(draft(target, &name, &alias));
            }
            Some((path, selectors)) => {
                let target = squeeze(path, "");
                let target = target.trim_end_matches('.');
                if target.is_empty() {
                    continue;
                }
                let mut item = draft(target, "", "");
                item.names.clear();
                for selector in selectors.split('}').next().unwrap_or("").split(',') {
                    let (name, alias) = renamed(selector).unwrap_or_else(|| (strip(selector).to_owned(), String::new()));
                    if !name.is_empty() && alias != "_" {
                        let (name, alias) = scala_name(&name, &alias); // `A => _` hides A
                        item.names.push((Cow::Owned(name), Cow::Owned(alias)));
                    }
                }
                drafts.push(item);
            }
        }
    }
    drafts
}

fn scala_name(name: &str, alias: &str) -> (String, String) {
    if matches!(name, "_" | "*" | "given") || name.starts_with("given ") {
        return ("*".to_owned(), "*".to_owned());
    }
    (name.to_owned(), if alias.is_empty() { name } else { alias }.to_owned())
}

pub fn scala_handler<'t>(walk: &Walk<'t>, node: Node<'t>) -> HandlerHead<'t> {
    let mut pattern = node.child_by_field_name("pattern");
    let mut name: Text<'t> = Cow::Borrowed("");
    while let Some(inner) = pattern.filter(|inner| inner.kind() == "capture_pattern") {
        name = walk.text_of(inner.child_by_field_name("name")); // `e @ (_: A | _: B)`
        pattern = inner.child_by_field_name("pattern");
    }
    let trim = |text: &str| Cow::Owned(text.trim_matches('_').to_owned());
    let first = match pattern {
        Some(pattern) if !matches!(pattern.kind(), "identifier" | "wildcard") => pattern,
        _ => {
            let error_name = if name.is_empty() { trim(&walk.text_of(pattern)) } else { name };
            return HandlerHead { error_name, ..HandlerHead::default() };
        }
    };
    let mut caught = Vec::new();
    let mut patterns = vec![first];
    while let Some(inner) = patterns.pop() {
        match inner.kind() {
            "alternative_pattern" | "tuple_pattern" => patterns.extend(walk.named_children(inner).into_iter().rev()),
            "typed_pattern" | "case_class_pattern" => {
                caught.push(walk.text_of(inner.child_by_field_name("type")));
                if name.is_empty() {
                    name = walk.text_of(inner.child_by_field_name("pattern"));
                }
            }
            _ => caught.push(walk.text(inner)),
        }
    }
    HandlerHead { caught, error_name: trim(&name), ..HandlerHead::default() }
}
