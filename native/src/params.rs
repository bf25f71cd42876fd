//! Parameters as written.

use crate::frames::{Param, Text};
use crate::table::{children_of_field, Entry, PartName, Role, Selector};
use crate::walk::{Walk, MAX_NAME_CHARS};
use crate::words::cut_text;
use std::borrow::Cow;
use tree_sitter::Node;

fn is_boolean(text: &str) -> bool {
    matches!(text, "True" | "False" | "true" | "false")
}

impl<'t> Walk<'t> {
    /// The parameters of a list.
    pub fn params_of(&self, node: Node<'t>) -> Vec<Param<'t>> {
        if node.named_child_count() == 0 && crate::chars::is_identifier(&self.text(node)) {
            vec![self.plain_param(node)] // `x -> x + 1`
        } else {
            self.read_params(self.children(node))
        }
    }

    /// Parameters without a list around them, as children of the function; defaults follow their parameters.
    pub fn params_beside(&self, node: Node<'t>, first: Node<'t>) -> Vec<Param<'t>> {
        let children = self.children(node).into_iter();
        let after = children.filter(|child| child.start_byte() >= first.start_byte());
        self.read_params(after.take_while(|child| child.kind() != ")").collect())
    }

    /// A parameter that is a name and nothing else.
    pub fn plain_param(&self, node: Node<'t>) -> Param<'t> {
        let name = cut_text(self.text(node), MAX_NAME_CHARS);
        Param { name, has_default: false, boolean: false, keyword_only: false, star: "" }
    }

    fn read_params(&self, children: Vec<Node<'t>>) -> Vec<Param<'t>> {
        let mut params: Vec<Param<'t>> = Vec::new();
        let (mut starred, mut default_follows, mut rest_follows) = (false, false, false);
        for child in children {
            if !child.is_named() {
                default_follows = child.kind() == "=";
                continue;
            }
            if default_follows {
                if let Some(last) = params.last_mut() {
                    default_follows = false; // a default beside its parameter
                    last.boolean = last.boolean || is_boolean(&self.text(child));
                    last.has_default = true;
                    continue;
                }
            }
            let entry = self.table.entry(child.kind_id());
            if let Some(Role::Comment | Role::Decorator | Role::Reference) = entry.map(|entry| entry.role) {
                let slice = self.slice(child);
                rest_follows = entry.is_some_and(|entry| entry.role == Role::Decorator)
                    && crate::chars::find(slice, b"vararg", 0, slice.len()).is_some();
                continue;
            }
            let parts = entry.filter(|entry| entry.role == Role::Parameter);
            let part = |name: PartName| parts.and_then(|entry| entry.part(child, name));
            let default = part(PartName::Default);
            let boolean = default.is_some_and(|default| is_boolean(&self.text(default)))
                || part(PartName::Type)
                    .is_some_and(|kind| self.p().boolean_type.is_match(self.text(kind).as_bytes()));
            let rest = rest_follows || part(PartName::Star).is_some();
            rest_follows = false;
            let keyword = part(PartName::Keyword).is_some();
            for name_node in self.name_nodes(child, parts) {
                let mut text = self.text(name_node.unwrap_or(child));
                if let Some(declared) = &self.table.declared_name {
                    let found = name_node
                        .and_then(|_| declared.pattern.search(text.as_bytes(), 0, text.len()))
                        .map(|found| text[found.start..found.end].to_owned());
                    text = Cow::Owned(found.unwrap_or_default());
                }
                let star = if text.starts_with("**") {
                    "**"
                } else if rest || text.starts_with('*') || text.starts_with("...") {
                    "*"
                } else {
                    ""
                };
                let name: Text<'t> = match (&text, name_node) {
                    (Cow::Borrowed(text), Some(_)) => Cow::Borrowed(trim(text)),
                    (Cow::Borrowed(text), None) => Cow::Borrowed(trim(before_colon(text))),
                    (Cow::Owned(text), Some(_)) => Cow::Owned(trim(text).to_owned()),
                    (Cow::Owned(text), None) => Cow::Owned(trim(before_colon(text)).to_owned()),
                };
                if !name.is_empty() {
                    let keyword_only = if self.table.says_keyword { keyword } else { starred && star.is_empty() };
                    params.push(Param {
                        name: cut_text(name, MAX_NAME_CHARS),
                        has_default: default.is_some(),
                        boolean,
                        keyword_only,
                        star,
                    });
                }
                starred = starred || star == "*";
            }
        }
        params
    }

    /// The names in one declaration: `a, b bool` is two parameters. None stands for a parameter without one.
    fn name_nodes(&self, node: Node<'t>, entry: Option<&'t Entry>) -> Vec<Option<Node<'t>>> {
        let Some(entry) = entry else { return vec![Some(node)] };
        match entry.selector(PartName::Name) {
            Some(Selector::Field(field)) => {
                let types: &[u16] = match entry.selector(PartName::Type) {
                    Some(Selector::Kinds(kinds)) => kinds, // some grammars call the type a name too
                    _ => &[],
                };
                let names: Vec<_> = children_of_field(node, *field)
                    .into_iter()
                    .filter(|child| !types.contains(&child.kind_id()))
                    .map(Some)
                    .collect();
                if names.is_empty() {
                    vec![None]
                } else {
                    names
                }
            }
            _ => vec![entry.part(node, PartName::Name)],
        }
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(['*', '.', '/', '&', ' '])
}

fn before_colon(text: &str) -> &str {
    text.split(':').next().unwrap_or("")
}
