//! Errors: what is guarded, what catches them, and what the handlers do.

use crate::chars::{self, rstrip_bytes};
use crate::frames::*;
use crate::table::{Entry, PartName, Role};
use crate::walk::{Leaver, Walk};
use crate::words::bound_names;
use std::borrow::Cow;
use std::collections::BTreeSet;
use tree_sitter::Node;

const IMPORT_ERRORS: &[&str] = &["ImportError", "ModuleNotFoundError", "Exception", "Error", "LoadError"];
const NO_VALUES: &[&str] = &["Unit", "()", "continue", "break"];
pub const MAX_RESULT_CHARS: usize = 200;
const TUPLES: &[&str] = &[
    "tuple 0", "tuple 1", "tuple 2", "tuple 3", "tuple 4", "tuple 5", "tuple 6", "tuple 7", "tuple 8", "tuple 9",
];

fn is_plain(role: Role) -> bool {
    matches!(
        role,
        Role::Nothing
            | Role::Name
            | Role::Skip
            | Role::String
            | Role::Attribute
            | Role::Reference
            | Role::ListLiteral
            | Role::TupleLiteral
    )
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl<'t> Walk<'t> {
    pub fn is_empty_value(&self, text: &str) -> bool {
        self.table.shared.empty_values.contains(text)
    }

    pub fn new_handler(&self, start: usize, end: usize, guarded: (usize, usize)) -> HandlerFrame<'t> {
        HandlerFrame {
            start,
            end,
            function: self.frame,
            guarded,
            body: start,
            caught: Vec::new(),
            error_name: Cow::Borrowed(""),
            does: BTreeSet::new(),
        }
    }

    pub fn add_handler(&mut self, handler: HandlerFrame<'t>) -> usize {
        self.handler_frames.push(handler);
        self.handler_frames.len() - 1
    }

    pub fn try_(&mut self, node: Node<'t>, entry: &'t Entry) {
        if !entry.guards.is_empty() && !entry.guards_hold(node) {
            return; // a body without handlers
        }
        let body = entry.part(node, PartName::Body).unwrap_or(node);
        let frame = TryFrame {
            body: (body.start_byte(), body.end_byte()),
            first_import: self.imports.len(),
            handlers: Vec::new(),
            has_finally: false,
            has_else: entry.part(node, PartName::Else).is_some(),
        };
        self.nest(node, entry, 0, i64::from(entry.guards.is_empty()), false);
        self.try_frames.push(frame);
        let at = self.try_frames.len() - 1;
        self.open_tries.push(at);
        self.new_leavers.push(Leaver::Try(at));
    }

    pub fn leave_try(&mut self, at: usize) {
        self.open_tries.pop();
        let handlers = std::mem::take(&mut self.try_frames[at].handlers);
        for handler in &handlers {
            self.finish_handler(*handler, Some(at));
        }
        let covers = handlers.iter().any(|handler| {
            let caught = &self.handler_frames[*handler].caught;
            caught.is_empty() || caught.iter().any(|name| IMPORT_ERRORS.iter().any(|error| name.ends_with(error)))
        });
        if covers {
            for import in &mut self.imports[self.try_frames[at].first_import..] {
                import.guarded = true;
            }
        }
    }

    /// Whether a case belongs to a catching clause, and not to a match inside it.
    pub fn is_handler(&self, node: Node<'t>) -> bool {
        self.inside.last() == Some(&Role::Catches)
            && node.parent().is_some_and(|block| self.table.role_of(block.parent()) == Role::Catches)
    }

    /// A clause or case that catches.
    pub fn handle(&mut self, node: Node<'t>, entry: &'t Entry) {
        self.frames[self.frame].cyclomatic += 1;
        if entry.has(PartName::Guarded) {
            self.handle_modifier(node, entry);
            return;
        }
        let Some(open) = self.open_tries.last().copied() else { return };
        let (start, end) = self.try_frames[open].body;
        if node.start_byte() < end {
            let guarded = rstrip_bytes(self.cut(start, node.start_byte())).len();
            self.try_frames[open].body = (start, start + guarded);
        }
        let head = match self.table.hooks.handler {
            Some(read) => read(self, node),
            None => HandlerHead::default(),
        };
        let mut draft = self.new_handler(node.start_byte(), self.end_of(node), self.try_frames[open].body);
        draft.caught = head.caught;
        draft.error_name = head.error_name;
        let mut body = entry.part(node, PartName::Body);
        if body.is_none() && entry.role == Role::Case {
            draft.body = node.end_byte(); // nothing follows the arrow
        } else {
            body = body.or_else(|| self.last_child(node));
            draft.body = body.map_or(node.start_byte(), |body| body.start_byte());
        }
        if self.table.blocks_are_values {
            if let Some(body) = body {
                let alone = entry.role == Role::Case && self.role(body) != Role::Block;
                let last = if alone { Some(body) } else { self.last_child(body) };
                self.note_value(&mut draft, last);
            }
        }
        let at = self.add_handler(draft);
        self.try_frames[open].handlers.push(at);
        self.open_handlers.push(at);
        self.new_leavers.push(Leaver::Handler);
    }

    /// `load(x) rescue nil`: one expression is guarded, the other is the value if it fails.
    fn handle_modifier(&mut self, node: Node<'t>, entry: &'t Entry) {
        let (Some(guarded), Some(body)) = (entry.part(node, PartName::Guarded), entry.part(node, PartName::Body))
        else {
            return;
        };
        let span = (guarded.start_byte(), guarded.end_byte());
        let mut draft = self.new_handler(node.start_byte(), node.end_byte(), span);
        draft.body = body.start_byte();
        if is_plain(self.role(body)) {
            let empty = self.is_empty_value(&self.text(body));
            draft.does.insert(if empty { "return_empty" } else { "return_value" });
        }
        let at = self.add_handler(draft);
        self.open_handlers.push(at);
        self.new_leavers.push(Leaver::Modifier(at));
    }

    /// Notes a plain value at the end of a block as the handler's result, where blocks are expressions.
    fn note_value(&self, draft: &mut HandlerFrame<'t>, last: Option<Node<'t>>) {
        let Some(last) = last.filter(|last| is_plain(self.role(*last))) else { return };
        let text = self.text(last);
        if !text.is_empty() && !NO_VALUES.contains(&text.as_ref()) {
            draft.does.insert(if self.is_empty_value(&text) { "return_empty" } else { "return_value" });
        }
    }

    /// Opens a handler for the body of a branch that tests an error value.
    pub fn open_error_branch(&mut self, node: Node<'t>, body: Option<Node<'t>>) {
        let Some(head) = self.table.hooks.branch.and_then(|read| read(self, node)) else { return };
        let Some(body) = head.body.or(body) else { return };
        let guarded = head.guarded.unwrap_or((node.start_byte(), body.start_byte()));
        if self.frame != 0 && guarded.0 < self.lines.starts[self.frames[self.frame].start - 1] {
            return; // the error of an outer function, which checks it itself
        }
        let mut draft = self.new_handler(node.start_byte(), body.end_byte(), guarded);
        draft.caught = head.caught;
        draft.error_name = head.error_name;
        draft.body = body.start_byte();
        let text = self.text(body);
        let value = text.trim_matches([' ', ',', ';']);
        if self.is_empty_value(value) && value != "()" && value != "{}" {
            draft.does.insert("return_empty");
        } else if head.body_is_value && !value.starts_with('{') && !value.starts_with("()") {
            draft.does.insert("return_value");
        }
        let at = self.add_handler(draft);
        self.open_handlers.push(at);
        self.new_leavers.push(Leaver::ErrorBranch { handler: at, outlives: head.outlives });
    }

    pub fn leave_error_branch(&mut self, handler: usize, outlives: bool) {
        self.open_handlers.retain(|open| *open != handler);
        if self.is_read_later(handler, outlives) {
            self.handler_frames[handler].does.insert("uses_error");
        }
        self.finish_handler(handler, None);
    }

    /// Whether an error is a named result, is read after its branch, or is read by a nested function.
    fn is_read_later(&self, handler: usize, outlives: bool) -> bool {
        let draft = &self.handler_frames[handler];
        let (at, name) = (draft.function, draft.error_name.as_ref());
        if name.is_empty() || at == 0 {
            return false;
        }
        let frame = &self.frames[at];
        if mentions(self, frame.result.as_bytes(), name, 0, MAX_RESULT_CHARS, false) {
            return true;
        }
        if !outlives {
            return false;
        }
        let mut top = at;
        while self.frames[top].parent >= 0 {
            top = self.frames[top].parent as usize + 1;
        }
        let starts = &self.lines.starts;
        let continues = !draft.does.contains("return") || top != at;
        if continues && mentions(self, self.source, name, draft.end, starts[self.frames[top].end], true) {
            return true;
        }
        self.frames[at + 1..].iter().any(|inner| {
            inner.parent == frame.index
                && mentions(self, self.source, name, starts[inner.start - 1], starts[inner.end], false)
        })
    }

    /// Notes a statement that drops an error value, as a handler that does nothing.
    pub fn note_discard(&mut self, node: Node<'t>) {
        let Some(head) = self.table.hooks.discards.and_then(|read| read(self, node)) else { return };
        let span = (node.start_byte(), node.end_byte());
        let mut draft = self.new_handler(span.0, span.1, span);
        draft.caught = head.caught;
        draft.does.insert("discard");
        let at = self.add_handler(draft);
        self.finish_handler(at, None);
    }

    /// Turns a handler that has been read into a fact.
    pub fn finish_handler(&mut self, handler: usize, try_frame: Option<usize>) {
        let draft = &self.handler_frames[handler];
        let (body, end) = (draft.body, draft.end);
        let words = bound_names(self.p(), &draft.error_name);
        let uses = words.iter().any(|word| mentions(self, self.source, word, body, end, false));
        let draft = &mut self.handler_frames[handler];
        if uses {
            draft.does.insert("uses_error");
        }
        let mut does: Vec<&'static str> = draft.does.iter().copied().collect();
        if does.is_empty() {
            does.push("pass");
        }
        let lines = &self.lines;
        self.handlers.push(Handler {
            start: lines.line(draft.start),
            end: lines.last_line(draft.end),
            body_start: lines.line(draft.guarded.0),
            body_end: lines.last_line(draft.guarded.1),
            function: draft.function as i64 - 1,
            caught: draft.caught.clone(),
            error_name: draft.error_name.clone(),
            does,
            has_finally: try_frame.is_some_and(|at| self.try_frames[at].has_finally),
            has_else: try_frame.is_some_and(|at| self.try_frames[at].has_else),
        });
    }

    pub fn return_(&mut self, node: Node<'t>, entry: &'t Entry) {
        let mut value = self.only_value(node.named_child(0));
        if entry.part(node, PartName::Label).is_some() {
            value = node.named_child(1); // `return@forEach x`
        }
        let (does, shape): (&'static str, Text<'t>) = match value {
            None => ("return", Cow::Borrowed("nothing")),
            Some(value) => {
                self.frames[self.frame].returns_value = true;
                if self.is_empty(value) {
                    ("return_empty", Cow::Borrowed("empty"))
                } else if self.role(value) == Role::TupleLiteral {
                    let count = self.named_children(value).iter().filter(|child| !child.is_extra()).count();
                    let shape = match TUPLES.get(count) {
                        Some(text) => Cow::Borrowed(*text),
                        None => Cow::Owned(format!("tuple {count}")),
                    };
                    ("return_value", shape)
                } else {
                    ("return_value", Cow::Borrowed("value"))
                }
            }
        };
        self.frames[self.frame].returns.insert(shape);
        self.note_in_handlers(does, node);
    }

    /// Whether a value is empty, or a list of empty values: `0, nil`, `Result{}, nil`.
    fn is_empty(&self, value: Node<'t>) -> bool {
        if self.role(value) == Role::Values {
            return self
                .named_children(value)
                .into_iter()
                .all(|child| self.is_empty(child) || self.p().zero.is_full_match(self.slice(child)));
        }
        value.end_byte() - value.start_byte() <= self.table.shared.longest_empty
            && self.is_empty_value(&self.text(value))
    }

    pub fn raise(&mut self, node: Node<'t>) {
        self.frames[self.frame].raises = true;
        self.note_in_handlers("raise", node);
    }

    /// An increment or decrement, or a deleted name or entry.
    pub fn changes(&mut self, node: Node<'t>, entry: &'t Entry) {
        if self.frame != 0
            && self.p().writes.match_at(self.source, node.start_byte(), node.end_byte()).is_some()
        {
            self.note_write(node.named_child(0));
        }
        if !self.open_handlers.is_empty() && entry.guards_hold(node) {
            self.note_in_handlers("assign", node);
        }
    }
}

/// Whether a name occurs as a whole word in a span of the source; with `read`, other than to be assigned.
pub fn mentions(walk: &Walk, source: &[u8], name: &str, start: usize, end: usize, read: bool) -> bool {
    let word = name.as_bytes();
    let mut at = start;
    while let Some(found) = chars::find(source, word, at, end) {
        let after = found + word.len();
        let alone = !(found > 0 && in_word(source[found - 1])) && !source.get(after).is_some_and(|byte| in_word(*byte));
        if alone && !(read && walk.p().assigned.match_at(source, after, source.len()).is_some()) {
            return true;
        }
        at = after;
    }
    false
}
