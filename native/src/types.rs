//! Types, the packages they stand in, and the blocks that add methods to them.

use crate::chars;
use crate::frames::*;
use crate::references::words_of;
use crate::table::{Entry, PartName, Role};
use crate::walk::{qualified, Leaver, Next, Walk, MAX_DOTTED_CHARS};
use crate::words::call_target;
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_BASES: usize = 20;

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl<'t> Walk<'t> {
    pub fn class(&mut self, node: Node<'t>, entry: &'t Entry) {
        if entry.part(node, PartName::Adds).is_some() {
            self.implementation(node, entry); // one kind of node for both: this keyword tells them apart
            return;
        }
        if !entry.guards.is_empty() && !entry.guards_hold(node) {
            return; // a use: `struct order *next`
        }
        let mut name_node = entry.part(node, PartName::Name);
        let defines = name_node.is_some();
        if !defines {
            name_node = entry.part(node, PartName::Key);
        }
        let name: Text<'t> = match name_node {
            Some(name) => self.text(name),
            None => Cow::Owned(self.names.remove(&node.id()).unwrap_or_default()),
        };
        if let (true, Some(name)) = (self.table.reopens, name_node) {
            self.declared_at = Some(name.start_byte());
        }
        let (body, bases) = (entry.part(node, PartName::Body), entry.part(node, PartName::Bases));
        let label = if name.is_empty() { Cow::Borrowed("(class)") } else { name.clone() };
        let mut frame = ClassFrame {
            qualname: qualified(self.prefix_of(self.scope()), &label),
            name: label.clone(),
            start: self.lines.line(node.start_byte()),
            end: self.lines.last_line(self.end_of(node)),
            head: body.map_or(node.end_byte(), |body| body.start_byte()),
            bases: Vec::new(),
            decorators: Vec::new(),
            methods: Vec::new(),
            fields: Default::default(),
            spans: Vec::new(),
        };
        if let Some(bases) = bases {
            // Names in a list of base classes, without comments and settings such as `metaclass=M`.
            for child in self.named_children(bases) {
                let text = self.target(child.start_byte(), child.end_byte());
                if self.role(child) != Role::Comment && !text.contains('=') {
                    frame.bases.push(text);
                }
            }
            frame.bases.truncate(MAX_BASES);
        }
        frame.decorators = self.take_decorators(node.start_byte());
        if self.at_module_level() && defines {
            self.definitions.insert(name);
        }
        if defines {
            self.note_in_handlers("assign", node);
        }
        let at = self.classes.len();
        self.classes.push(frame);
        self.types_by_name.entry(label.into_owned()).or_insert(at);
        self.scopes.push(Scope::Class(at));
        self.new_leavers.push(Leaver::Scope);
    }

    /// A heritage clause without a field of its own.
    pub fn bases(&mut self, node: Node<'t>) {
        let Scope::Class(class) = *self.scope() else { return };
        if node.start_byte() >= self.classes[class].head {
            return;
        }
        let p = self.p();
        let replaced = |text: Vec<u8>, from: &[u8], by: &[u8]| -> Vec<u8> {
            let mut out = Vec::with_capacity(text.len());
            let mut at = 0;
            while let Some(found) = chars::find(&text, from, at, text.len()) {
                out.extend_from_slice(&text[at..found]);
                out.extend_from_slice(by);
                at = found + from.len();
            }
            out.extend_from_slice(&text[at..]);
            out
        };
        let slice = self.slice(node);
        let written = p.delegated.replace(slice, |_, _| {}).unwrap_or_else(|| slice.to_vec());
        let written = replaced(replaced(written, b"extends", b" "), b"implements", b",");
        let written = p.with.replace(&written, |_, out| out.push(b',')).unwrap_or(written);
        let written = p.access.replace(&written, |_, out| out.push(b' ')).unwrap_or(written);
        let mut words = call_target(p, &written, 0, written.len()).into_owned();
        while words.contains('<') {
            match crate::words::without(&p.base_arguments, &words) {
                Some(plain) => words = plain,
                None => break,
            }
        }
        let bases = &mut self.classes[class].bases;
        for word in words.trim_start_matches(':').split(',').filter(|word| !word.is_empty()) {
            bases.push(Cow::Owned(word.trim_end_matches(['(', ')', '[', ']']).to_owned()));
        }
        bases.truncate(MAX_BASES);
    }

    pub fn type_(&mut self, node: Node<'t>, entry: &'t Entry) {
        let Some(name) = entry.part(node, PartName::Name) else { return };
        if !entry.guards.is_empty() && !entry.guards_hold(node) {
            return;
        }
        let words = words_of(self.slice(name), is_name_byte);
        let label = words.first().map_or(Cow::Borrowed(""), |word| String::from_utf8_lossy(word));
        if !label.is_empty() && self.at_module_level() {
            self.definitions.insert(label.clone());
        }
        if let Some(value) = entry.part(node, PartName::Value) {
            if self.role(value) == Role::Class {
                self.names.insert(value.id(), label.into_owned()); // `typedef struct {…} order;`
            }
        }
    }

    /// Enters the type that a call with a body defines: its methods are not those of the type around it.
    pub fn enter_anonymous_type(&mut self, target: &str) {
        let qualname = qualified(self.qualname_of(self.scope()), target);
        self.scopes.push(Scope::Namespace(qualname));
        self.new_leavers.push(Leaver::Scope);
    }

    /// A namespace: what it holds is not the module's. One without a body stands for a file of that name.
    pub fn namespace(&mut self, node: Node<'t>, entry: &'t Entry) -> Next {
        let table = self.table;
        let start = node.start_byte();
        let decorators = self.take_decorators(start);
        if entry.has(PartName::Body) && entry.part(node, PartName::Body).is_none() {
            let mut files: Vec<String> = Vec::new();
            if let Some(names_file) = &table.file_decorator {
                for text in &decorators {
                    for found in names_file.pattern.find_all(text.as_bytes(), 0, text.len()) {
                        let (start, end) = found.group(1).unwrap_or((0, 0));
                        files.push(text[start..end].to_owned());
                    }
                }
            }
            let line = self.lines.line(start);
            for draft in self.drafts_of(node) {
                if files.is_empty() {
                    self.add_import(draft, line, start);
                    continue;
                }
                for path in &files {
                    let stated = ImportDraft { target: Cow::Owned(path.clone()), ..draft.clone() };
                    self.add_import(stated, line, start);
                }
            }
            return Next::Skip;
        }
        let name = entry.part(node, PartName::Name);
        let text = self.text_of(name);
        let label = text.trim_matches(['"', '\'']).to_owned();
        if table.namespaces_are_packages {
            let outer = self.namespaces.last().cloned().unwrap_or_default();
            let inner =
                if chars::length(&label) <= MAX_DOTTED_CHARS { self.dotted(&label) } else { String::new() };
            let full = if inner.is_empty() { outer } else { qualified(&outer, &inner) };
            self.namespaces.push(full.clone());
            self.packages.push(full);
            self.new_leavers.push(Leaver::Package);
            return Next::Down;
        }
        if table.role_of(name) != Role::String && self.at_module_level() {
            let first = label.split('.').next().unwrap_or("").to_owned();
            self.definitions.insert(Cow::Owned(first));
        }
        let in_test = self.marks_tests(&decorators);
        self.test_scopes += i64::from(in_test);
        let qualname = qualified(self.qualname_of(self.scope()), &label);
        self.scopes.push(Scope::Namespace(qualname));
        let around = &self.namespace_path;
        let inner = if around.is_empty() || chars::length(around) >= MAX_DOTTED_CHARS {
            label
        } else {
            format!("{around}::{label}")
        };
        let around = std::mem::replace(&mut self.namespace_path, inner);
        self.new_leavers.push(Leaver::Namespace { in_test, around });
        Next::Down
    }

    fn dotted(&self, text: &str) -> String {
        let dotted = self.p().separator.replace(text.as_bytes(), |_, out| out.push(b'.'));
        dotted.map_or_else(|| text.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The package or namespace that a file declares.
    pub fn package(&mut self, node: Node<'t>, entry: &'t Entry) -> Next {
        let name = entry.part(node, PartName::Name).or_else(|| node.named_child(0));
        if let Some(name) = name.filter(|name| name.end_byte() - name.start_byte() <= MAX_DOTTED_CHARS) {
            let written: String = self.text(name).chars().filter(|character| !chars::is_space(*character)).collect();
            let text = self.dotted(&written);
            let package = match self.packages.last() {
                Some(last) if self.table.packages_chain => qualified(last, &text),
                _ => text,
            };
            self.packages.push(package);
        }
        if entry.has(PartName::Body) {
            Next::Down
        } else {
            Next::Skip
        }
    }

    /// The type that methods outside its body belong to; added here if it is not defined in this file.
    pub fn owner(&mut self, name: Text<'t>, start: usize, end: usize) -> usize {
        if let Some(class) = self.types_by_name.get(name.as_ref()) {
            self.classes[*class].spans.push((start, end));
            return *class;
        }
        let at = self.classes.len();
        self.types_by_name.insert(name.clone().into_owned(), at);
        self.classes.push(ClassFrame {
            qualname: name.clone().into_owned(),
            name,
            start,
            end,
            head: 0,
            bases: Vec::new(),
            decorators: Vec::new(),
            methods: Vec::new(),
            fields: Default::default(),
            spans: Vec::new(),
        });
        at
    }

    /// A block of methods for a type that is defined elsewhere.
    pub fn implementation(&mut self, node: Node<'t>, entry: &'t Entry) {
        let decorators = self.take_decorators(node.start_byte());
        let in_test = self.marks_tests(&decorators);
        self.decorators.clear();
        let Some(name) = entry.part(node, PartName::Name) else { return };
        self.test_scopes += i64::from(in_test);
        let text = self.text(name);
        let label = match self.p().type_name.search(text.as_bytes(), 0, text.len()).and_then(|found| found.group(1)) {
            Some((start, end)) => text[start..end].to_owned(),
            None => "(type)".to_owned(),
        };
        let (start, end) = (self.lines.line(node.start_byte()), self.lines.last_line(node.end_byte()));
        let class = self.owner(Cow::Owned(label), start, end);
        if let Some(base) = entry.part(node, PartName::Base) {
            if self.classes[class].bases.len() < MAX_BASES {
                let target = self.target(base.start_byte(), base.end_byte());
                self.classes[class].bases.push(target);
            }
        }
        if let Some(body) = entry.part(node, PartName::Body) {
            self.classes[class].head = body.start_byte(); // bases and decorators before it are the type's own
        }
        self.scopes.push(Scope::Class(class));
        self.new_leavers.push(Leaver::Implementation { in_test });
    }

    /// A field of a type. `name` may be a declarator; its first word is the name.
    pub fn field_of_type(&mut self, node: Node<'t>, entry: &'t Entry) {
        if let Scope::Class(class) = *self.scope() {
            let names = entry.parts(node, PartName::Name);
            for name in &names {
                let written = self.slice(*name);
                let Some(start) = written.iter().position(|byte| is_name_byte(*byte)) else { continue };
                let length = written[start..].iter().take_while(|byte| is_name_byte(**byte)).count();
                let word = &written[start..start + length];
                self.classes[class].fields.insert(Cow::Borrowed(word));
                self.declared_at = Some(name.start_byte() + start);
                self.field = (node.end_byte(), String::from_utf8_lossy(word));
            }
            let embedded = if names.is_empty() { entry.part(node, PartName::Base) } else { None };
            if let Some(embedded) = embedded {
                if self.classes[class].bases.len() < MAX_BASES {
                    let target = self.target(embedded.start_byte(), embedded.end_byte());
                    let base = Cow::Owned(target.trim_start_matches('*').to_owned());
                    self.classes[class].bases.push(base);
                }
            }
        }
        self.new_leavers.push(Leaver::Decorators);
    }
}
