//! Calls, imports, exports, strings and comments; and the shortcuts for flat lists, which need no walk.

use crate::chars::{self, find, strip_bytes};
use crate::frames::*;
use crate::table::{EdgeKind, Entry, PartName, Role};
use crate::walk::{Leaver, Next, Walk, MAX_DOTTED_CHARS};
use crate::words::{literal_value, MAX_TEXT_CHARS};
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_LITERAL_BYTES: usize = 220;

impl<'t> Walk<'t> {
    pub fn call(&mut self, node: Node<'t>, entry: &'t Entry) {
        if self.inner_calls.contains(&node.id()) {
            return;
        }
        let table = self.table;
        let mut arguments = entry.part(node, PartName::Arguments);
        let mut block = entry.part(node, PartName::Block);
        if let (Some(block), None) = (block, arguments) {
            arguments = self.arguments_before(node, entry, block);
        }
        let callee_end;
        if let Some(suffix) = entry.part(node, PartName::Suffix) {
            let Some(inner) = table.entry(suffix.kind_id()) else { return };
            // Arguments and block are one level down.
            (arguments, block) = (inner.part(suffix, PartName::Arguments), inner.part(suffix, PartName::Block));
            callee_end = suffix.start_byte();
            if self.source.get(callee_end) == Some(&b'[') {
                return; // `rows[1]`
            }
        } else if let Some(arguments) = arguments {
            callee_end = arguments.start_byte();
        } else if entry.has(PartName::Block) || entry.has(PartName::Body) {
            let after = block.or_else(|| entry.part(node, PartName::Body)); // a language that calls without parentheses
            callee_end = after.map_or(node.end_byte(), |after| after.start_byte());
        } else {
            return;
        }
        let start = node.start_byte();
        let mut target = self.target(start, callee_end);
        if table.brackets_hold_types && target.contains("[]") {
            target = Cow::Owned(target.replace("[]", ""));
        }
        if self.frame == 0 {
            self.top_statement(node, "call", target.clone(), None);
        }
        let awaited = self.awaited.contains(&node.id());
        let function = self.index();
        self.calls.push(Call { target: target.clone(), offset: callee_end.wrapping_sub(1), function, awaited });
        self.open_call(node, callee_end, target.clone(), arguments, block.map(|block| block.start_byte()));
        self.note_in_handlers("call", node);
        let frame = &self.frames[self.frame];
        if !frame.name.is_empty() && target.ends_with(frame.name.as_ref()) {
            let recursive = frame.recursive || self.is_recursive(&target, arguments);
            self.frames[self.frame].recursive = recursive;
        }
        if entry.part(node, PartName::Body).is_some() {
            self.enter_anonymous_type(&target);
        }
        if let (Some(block), Some(tests)) = (block, &table.test_calls) {
            if self.role(block) == Role::Block && tests.pattern.is_match(target.as_bytes()) {
                self.test_blocks.insert(block.id());
            }
        }
        if table.raising_calls.contains(target.as_ref()) {
            self.raise(node);
        }
        let Some(arguments) = arguments else { return };
        let imported = table.import_calls.get(target.as_ref());
        if let (Some(call_draft), Some(_)) = (table.hooks.call_draft, imported) {
            if let Some(draft) = call_draft(self, &target, arguments) {
                let line = self.lines.line_before(callee_end);
                self.add_import(draft, line, start);
            }
        } else if let Some(kind) = imported {
            if let Some(first) = self.first_argument(arguments) {
                if self.role(first) == Role::String {
                    let value = literal_value(self.p(), self.slice(first)).unwrap_or_default();
                    if !value.is_empty() && !value.contains("${") {
                        let draft = ImportDraft { target: value, kind: Some(*kind), ..ImportDraft::default() };
                        let line = self.lines.line_before(callee_end);
                        self.add_import(draft, line, start);
                    }
                }
            }
        } else if !table.handler_calls.is_empty() {
            let last = target.rsplit('.').next().unwrap_or("");
            if table.handler_calls.contains(last) {
                for child in self.named_children(arguments) {
                    if self.role(child) == Role::Function {
                        self.handler_functions.insert(child.id(), (start, callee_end));
                    }
                }
            }
        }
    }

    fn open_call(
        &mut self,
        node: Node<'t>,
        arguments_start: usize,
        target: Text<'t>,
        arguments: Option<Node<'t>>,
        block: Option<usize>,
    ) {
        let start = node.start_byte();
        while self.open_calls.last().is_some_and(|call| call.end <= start) {
            self.open_calls.pop();
        }
        self.open_calls.push(OpenCall { end: node.end_byte(), arguments_start, target, arguments, block });
    }

    /// Arguments before a block, where the grammar makes two calls of `f(x) { … }`; they count as one.
    fn arguments_before(&mut self, node: Node<'t>, entry: &'t Entry, block: Node<'t>) -> Option<Node<'t>> {
        let inner = node.named_child(0)?;
        if inner.kind_id() != node.kind_id() || entry.part(inner, PartName::Block).is_some() {
            return None;
        }
        if !strip_bytes(self.cut(inner.end_byte(), block.start_byte())).is_empty() {
            return None; // a receiver
        }
        self.inner_calls.insert(inner.id());
        entry.part(inner, PartName::Arguments)
    }

    /// Whether a call is one of the function it stands in.
    fn is_recursive(&self, target: &str, arguments: Option<Node<'t>>) -> bool {
        let (frame, table) = (&self.frames[self.frame], self.table);
        let prefix = if frame.self_prefix.is_empty() { &table.self_prefix } else { &frame.self_prefix };
        let prefix = String::from_utf8_lossy(prefix);
        let is_own = if frame.class_index >= 0 {
            target.strip_prefix(prefix.as_ref()).is_some_and(|rest| rest == frame.name)
        } else {
            target == frame.name
        };
        if !table.implicit_self && !table.bare_calls {
            return is_own;
        }
        if target == "this" {
            return false; // another constructor
        }
        // Where methods need no prefix they may also be overloaded: the number of arguments tells them apart.
        let count = arguments.map_or(0, |arguments| arguments.named_child_count());
        (is_own || target == frame.name) && count == frame.params.len()
    }

    pub fn drafts_of(&self, node: Node<'t>) -> Vec<ImportDraft<'t>> {
        self.table.hooks.statements.map_or(Vec::new(), |read| read(self, node))
    }

    pub fn import(&mut self, node: Node<'t>) {
        let start = node.start_byte();
        let line = self.lines.line(start);
        for draft in self.drafts_of(node) {
            self.add_import(draft, line, start);
        }
        self.note_in_handlers("assign", node);
    }

    pub fn add_import(&mut self, draft: ImportDraft<'t>, line: usize, offset: usize) {
        while self.import_guards.last().is_some_and(|guard| guard.1 <= offset) {
            self.import_guards.pop(); // in the order of the file, and so are imports
        }
        let stated = draft.kind.unwrap_or(self.table.import_kind);
        let target = match self.table.hooks.relative {
            Some(relative) if !self.namespace_path.is_empty() => {
                Cow::Owned(relative(&draft.target, &self.namespace_path))
            }
            _ => draft.target,
        };
        if chars::length(&target) > MAX_DOTTED_CHARS {
            return; // no file has such a name
        }
        let guard = self.import_guards.last().filter(|guard| guard.0 <= offset).map(|guard| guard.2);
        let kind = if draft.type_only {
            EdgeKind::TypeOnly
        } else if let Some(kind) = guard {
            kind
        } else if matches!(stated, EdgeKind::Dynamic | EdgeKind::Deferred)
            || (stated == EdgeKind::Linked && !draft.reexport)
        {
            stated
        } else if self.frame != 0 || self.frames[0].lambdas != 0 {
            EdgeKind::Deferred
        } else if draft.reexport {
            EdgeKind::Reexport
        } else {
            EdgeKind::Runtime
        };
        let function = self.index();
        self.imports.push(Import {
            target,
            line,
            kind,
            names: draft.names,
            alias: draft.alias,
            function,
            guarded: false,
        });
    }

    pub fn export(&mut self, node: Node<'t>) -> Next {
        let start = node.start_byte();
        let line = self.lines.line(start);
        let drafts = self.drafts_of(node);
        let imports = !drafts.is_empty();
        for draft in drafts {
            self.add_import(draft, line, start);
        }
        if self.at_module_level() {
            // What a namespace exports is not the file's.
            if let Some(read) = self.table.hooks.exports {
                for (name, local) in read(self, node) {
                    self.exports.push(Export { name, line, local });
                }
            }
        }
        if imports {
            Next::Skip
        } else {
            Next::Down
        }
    }

    pub fn string(&mut self, node: Node<'t>) -> Next {
        let (start, end) = (node.start_byte(), node.end_byte());
        if self.bare == Some((start, end)) {
            self.note_comment(start, end, true); // a docstring, or a string without effect
            return Next::Skip;
        }
        let raw = self.cut(start, end);
        if end - start < MAX_LITERAL_BYTES && !raw.contains(&b' ') {
            let found = self.p().interesting.match_at(raw, 0, raw.len()).and_then(|found| found.group(2));
            if let Some((from, to)) = found {
                let value = String::from_utf8_lossy(&raw[from..to]);
                let call = self.call_around(start, end).map_or(Cow::Borrowed(""), |call| call.target.clone());
                let (line, function) = (self.lines.line(start), self.index());
                self.texts.push(TextFact { value, line, function, call });
            }
        }
        // An interpolation may hold calls.
        if !raw.contains(&b'{') && find(raw, b"\\(", 0, raw.len()).is_none() {
            Next::Skip
        } else {
            Next::Down
        }
    }

    /// Notes a comment or docstring, and takes its lines out of the code.
    pub fn note_comment(&mut self, start: usize, end: usize, doc: bool) {
        let (line, last, own_line) = self.lines.comment(start, end);
        let text = match String::from_utf8_lossy(self.cut(start, end)) {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_end_matches(chars::is_space)),
            Cow::Owned(text) => Cow::Owned(text.trim_end_matches(chars::is_space).to_owned()),
        };
        self.comments.push(Comment { line, end: last, text, own_line, doc });
    }

    /// Read with their function; walked only for types, and defaults that are more than a literal.
    pub fn parameters(&mut self, node: Node<'t>) -> Next {
        let written = self.cut(node.start_byte() + 1, node.end_byte().saturating_sub(1));
        if written.contains(&b'@') {
            self.new_leavers.push(Leaver::Decorators);
        }
        let plain = !self.table.has_references
            && !written.iter().any(|byte| matches!(byte, b'(' | b'{'))
            && find(written, b"lambda", 0, written.len()).is_none();
        if plain {
            Next::Skip
        } else {
            Next::Down
        }
    }

    fn flat_patterns(&self) -> &'t crate::table::FlatPatterns {
        let table: &'t crate::table::Table = self.table;
        table.flat.as_ref().expect("flat actions come with flat patterns")
    }

    /// The name of a callee that is nothing but a call, and the attribute of the own object that it begins with.
    fn callee(&mut self, written: &'t [u8]) -> Option<(Text<'t>, Text<'t>)> {
        if let Some(callee) = self.callees.get(written) {
            return callee.clone();
        }
        let table = self.table;
        let found = self.flat_patterns().callee.full_match(written, 0, written.len()).and_then(|found| found.group(1));
        let callee = found.and_then(|(from, to)| {
            let target = crate::words::call_target(self.p(), written, 0, written.len());
            let last = target.rsplit('.').next().unwrap_or("");
            if table.import_calls.contains_key(target.as_ref())
                || table.raising_calls.contains(target.as_ref())
                || table.handler_calls.contains(last)
            {
                return None;
            }
            let plain = &written[from..to];
            let prefix = &table.self_prefix;
            let own: &[u8] = match plain.strip_prefix(prefix.as_slice()) {
                Some(rest) if !prefix.is_empty() => rest.split(|byte| *byte == b'.').next().unwrap_or(b""),
                _ => b"",
            };
            Some((target, String::from_utf8_lossy(own)))
        });
        self.callees.insert(written, callee.clone());
        callee
    }

    fn note_own_attributes(&mut self, start: usize, end: usize) {
        let prefix = &self.table.self_prefix;
        if prefix.is_empty() || find(self.source, prefix, start, end).is_none() {
            return;
        }
        for found in self.flat_patterns().own.find_all(self.source, start, end) {
            if let Some((from, to)) = found.group(1) {
                let name = String::from_utf8_lossy(self.cut(from, to));
                self.frames[self.frame].attributes.insert(name);
            }
        }
    }

    /// Whether a span reads the environment.
    fn reads_environment(&self, start: usize, end: usize) -> bool {
        let environment = &self.table.environment;
        !environment.is_empty() && find(self.source, environment, start, end).is_some()
    }

    /// A call: one of a plain name with plain arguments is not walked.
    pub fn flat_call(&mut self, node: Node<'t>, entry: &'t Entry) -> Next {
        let (start, end) = (node.start_byte(), node.end_byte());
        let field = self.table.call_fields[node.kind_id() as usize];
        let found = self.flat_patterns().call.full_match(self.source, start, end);
        let plain = found
            .and_then(|found| found.group(1))
            .filter(|_| !self.reads_environment(start, end) && !node.has_error());
        let mut arguments = None;
        let middle = match plain {
            Some((_, middle)) => middle,
            None => {
                arguments = node.child_by_field_id(field);
                match arguments {
                    Some(arguments) => arguments.start_byte(),
                    None => return Next::Down,
                }
            }
        };
        let written = self.cut(start, middle);
        let callee = if middle - start < MAX_TEXT_CHARS { self.callee(written) } else { None };
        let Some((target, attribute)) = callee else {
            self.call(node, entry);
            return Next::Down;
        };
        if self.frame == 0 {
            self.top_statement(node, "call", target.clone(), None);
        }
        let awaited = !self.awaited.is_empty() && self.awaited.contains(&node.id());
        let function = self.index();
        self.calls.push(Call { target: target.clone(), offset: middle.wrapping_sub(1), function, awaited });
        self.note_in_handlers("call", node);
        let frame = &self.frames[self.frame];
        if !frame.name.is_empty() && target.ends_with(frame.name.as_ref()) {
            let own_arguments = arguments.or_else(|| node.child_by_field_id(field));
            let recursive = frame.recursive || self.is_recursive(&target, own_arguments);
            self.frames[self.frame].recursive = recursive;
        }
        if !attribute.is_empty() {
            self.frames[self.frame].attributes.insert(attribute);
        }
        if plain.is_none() {
            self.open_call(node, middle, target, arguments, None);
            // The callee needs no walk, unless it reads the environment or does not parse.
            let environment = &self.table.environment;
            let watched = (!environment.is_empty() && find(written, environment, 0, written.len()).is_some())
                || node.has_error();
            return if watched || middle == 0 { Next::Down } else { Next::DownTo(middle) };
        }
        self.note_own_attributes(middle, end);
        Next::Skip
    }

    /// A list or map: one of plain values is not walked.
    pub fn flat_literal(&mut self, node: Node<'t>) -> Next {
        self.literal(node);
        let (start, end) = (node.start_byte(), node.end_byte());
        if self.flat_patterns().list.full_match(self.source, start, end).is_none()
            || self.reads_environment(start, end)
            || node.has_error()
        {
            return Next::Down;
        }
        self.note_own_attributes(start, end);
        Next::Skip
    }

    /// A dotted name: one of plain names is not walked.
    pub fn flat_attribute(&mut self, node: Node<'t>, entry: &'t Entry) -> Next {
        let (start, end) = (node.start_byte(), node.end_byte());
        let environment = &self.table.environment;
        match self.flat_patterns().dotted.full_match(self.source, start, end) {
            Some(found) if environment.is_empty() || !self.cut(start, end).starts_with(environment) => {
                if let Some((from, to)) = found.group(1) {
                    let name = String::from_utf8_lossy(self.cut(from, to));
                    self.frames[self.frame].attributes.insert(name);
                }
                Next::Skip
            }
            _ => self.attribute(node, entry),
        }
    }
}
