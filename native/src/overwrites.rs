//! Parameters that are assigned before they are read: what the caller passed is lost.

use crate::chars::{strip_bytes, strip_of};
use crate::frames::Overwrite;
use crate::handlers::mentions;
use crate::table::{Entry, PartName, Role};
use crate::walk::Walk;
use tree_sitter::Node;

const MAX_INDENT_BYTES: usize = 200;
const MAX_STEPS: usize = 3; // from an assignment to the body: statement, list of statements

impl<'t> Walk<'t> {
    /// Notes an assignment to a parameter of the function around it that nothing has read so far.
    pub fn note_overwrite(&mut self, node: Node<'t>, entry: &'t Entry, name: Option<Node<'t>>) {
        let frame = &self.frames[self.frame];
        let (Some(name), Some(body)) = (name, frame.body) else { return };
        let written = self.text(name);
        if !frame.params.iter().any(|param| param.name == written && param.star.is_empty()) {
            return;
        }
        if !strip_of(self.cut(node.start_byte(), name.start_byte()), b"$( \t").is_empty() {
            return; // `let`, `var`: a new name that hides the parameter
        }
        let Some(value) = entry.part(node, PartName::Value) else { return };
        if !matches!(strip_bytes(self.cut(name.end_byte(), value.start_byte())), b"=" | b":=") {
            return;
        }
        if self.mentions(&written, value.start_byte(), node.end_byte()) {
            return;
        }
        if !self.begins_statement(node.start_byte()) || !is_statement_of(node, body) {
            return;
        }
        let (start, end) = (body.start_byte(), body.end_byte());
        if self.is_read(body, &written, node.start_byte())
            || self.p().reads_all.search(self.source, start, end).is_some()
        {
            return;
        }
        if !self.belongs_to_caller(body, &written) {
            let (line, function) = (self.lines.line(node.start_byte()), self.index());
            self.overwrites.push(Overwrite { name: written, line, function });
        }
    }

    fn begins_statement(&self, start: usize) -> bool {
        let before = self.cut(start.saturating_sub(MAX_INDENT_BYTES), start);
        match before.iter().rfind(|byte| !matches!(byte, b' ' | b'\t')) {
            None => true,
            Some(byte) => matches!(byte, b'\n' | b'{' | b';'),
        }
    }

    /// Whether a name occurs in a span, also as `$name` inside a string.
    fn mentions(&self, name: &str, start: usize, end: usize) -> bool {
        mentions(self, self.source, name, start, end, false)
            || mentions(self, self.source, &format!("${name}"), start, end, false)
    }

    /// Whether a name occurs in a body before an offset, other than in comments and documentation.
    fn is_read(&self, body: Node<'t>, name: &str, end: usize) -> bool {
        if !self.mentions(name, body.start_byte(), end) {
            return false;
        }
        let mut nodes = vec![body];
        while let Some(node) = nodes.pop() {
            let role = self.role(node);
            if node.start_byte() >= end || role == Role::Comment {
                continue;
            }
            let inner =
                if matches!(role, Role::Skip | Role::String) { Vec::new() } else { self.named_children(node) };
            if inner.is_empty() && self.mentions(name, node.start_byte(), node.end_byte().min(end)) {
                return true;
            }
            if role != Role::Statement || inner.len() != 1 || self.role(inner[0]) != Role::String {
                nodes.extend(inner); // anything but documentation
            }
        }
        false
    }

    /// Whether the caller sees the assignment: a reference, an `out` parameter.
    fn belongs_to_caller(&self, body: Node<'t>, name: &str) -> bool {
        let head = self.cut(self.frames[self.frame].head, body.start_byte());
        let word = name.as_bytes();
        let in_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
        let mut at = 0;
        while let Some(found) = crate::chars::find(head, word, at, head.len()) {
            let after = found + word.len();
            if !in_word(found.checked_sub(1).map(|before| &head[before])) && !in_word(head.get(after)) {
                if self.p().shared.contains(text_before(head, found)) {
                    return true;
                }
                at = after;
            } else {
                at = found + 1;
            }
        }
        false
    }
}

/// Whether an assignment is a statement of the body itself: nothing decides whether it runs.
fn is_statement_of(node: Node, body: Node) -> bool {
    let mut node = node;
    for _ in 0..MAX_STEPS {
        let Some(around) = node.parent() else { return false };
        if around.id() == body.id() {
            return true;
        }
        let is_only_child = || around.parent().is_some_and(|parent| parent.named_child_count() == 1);
        if around.start_byte() != node.start_byte() && !is_only_child() {
            return false;
        }
        node = around;
    }
    false
}

/// What stands between a parameter's name and the comma or bracket before it: its type and modifiers.
fn text_before(head: &[u8], end: usize) -> &[u8] {
    let mut depth = 0;
    for start in (0..end).rev() {
        let byte = head[start];
        if matches!(byte, b')' | b']' | b'>' | b'}') {
            depth += 1;
        } else if depth > 0 && matches!(byte, b'(' | b'[' | b'<' | b'{') {
            depth -= 1;
        } else if depth == 0 && matches!(byte, b',' | b'(' | b'[' | b'<' | b'{') {
            return &head[start + 1..end];
        }
    }
    &head[..end]
}
