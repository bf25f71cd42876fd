//! Names a file uses, for languages whose files see each other without an import; and fields named without a prefix.

use crate::chars;
use crate::frames::Call;
use crate::table::{Entry, PartName};
use crate::walk::{Next, Walk};
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_REFERENCE_BYTES: usize = 120;

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The words of a slice, in order.
pub fn words_of(text: &[u8], is_word: impl Fn(u8) -> bool) -> Vec<&[u8]> {
    text.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty()).collect()
}

impl<'t> Walk<'t> {
    /// Notes `package.Name` in an expression, unless it is a callee.
    pub fn note_qualified(&mut self, start: usize, end: usize) {
        if end - start > MAX_REFERENCE_BYTES {
            return;
        }
        let is_callee = self.open_calls.last().is_some_and(|call| call.arguments_start == end);
        if !is_callee && self.p().in_package.full_match(self.source, start, end).is_some() {
            let name = Cow::Borrowed(self.cut(start, end));
            self.references.entry(name).or_insert(start);
        }
    }

    /// A plain name. Only one that begins with a capital can be a type or constant of another file.
    pub fn name(&mut self, node: Node<'t>) {
        let start = node.start_byte();
        let text = self.slice(node);
        if self.members.contains(&start) || self.declared_at == Some(start) {
            return;
        }
        if text.first().is_some_and(u8::is_ascii_uppercase) {
            self.references.entry(Cow::Borrowed(text)).or_insert(start);
        } else if !self.open_handlers.is_empty() && (text == b"continue" || text == b"break") {
            self.note_in_handlers(if text == b"break" { "break" } else { "continue" }, node);
        } else if self.table.free_names && self.key_at != Some(start) {
            self.free_names.entry(text).or_insert(start);
        } else if self.table.bare_calls {
            self.bare_call(node, text, start);
        }
        if self.table.implicit_self && self.frame != 0 && start != self.frames[self.frame].head {
            self.frames[self.frame].words.insert(text);
        }
    }

    /// Notes an undeclared name alone on its line as a call; and one that raises, anywhere.
    fn bare_call(&mut self, node: Node<'t>, name: &'t [u8], start: usize) {
        if let Some(around) = self.open_calls.last() {
            if start < around.end && node.end_byte() <= around.arguments_start {
                return; // a callee or receiver
            }
        }
        let word = String::from_utf8_lossy(name);
        if self.table.raising_calls.contains(word.as_ref()) {
            self.raise(node);
        } else if self.declared.contains(name)
            || self.p().alone.match_at(self.source, node.end_byte(), self.source.len()).is_none()
            || !self.lines.first_on_line(start)
        {
            return;
        }
        let function = self.index();
        self.calls.push(Call { target: word, offset: start, function, awaited: false });
        self.note_in_handlers("call", node);
    }

    /// Notes the names that nodes declare inside a function: parameters, results, the left of an assignment.
    pub fn note_declared(&mut self, node: Option<Node<'t>>) {
        if let Some(node) = node {
            self.declared.extend(words_of(self.slice(node), is_word_byte));
        }
    }

    /// A type parameter: its name is no type of another file.
    pub fn type_parameter(&mut self, node: Node<'t>, entry: &'t Entry) {
        if let Some(name) = entry.part(node, PartName::Name) {
            self.type_parameters.insert(self.slice(name));
        }
    }

    /// A type, or a name qualified with its package or type. Anything but one plain name is walked.
    pub fn reference(&mut self, node: Node<'t>) -> Next {
        let (start, end) = (node.start_byte(), node.end_byte());
        if self.declared_at == Some(start) {
            return Next::Skip;
        }
        let text = self.cut(start, end);
        if end - start > MAX_REFERENCE_BYTES || !self.p().qualified.is_full_match(text) {
            return Next::Down;
        }
        self.note_reference(Cow::Borrowed(text), start);
        Next::Skip
    }

    fn note_reference(&mut self, text: Cow<'t, [u8]>, start: usize) {
        let text = match self.table.hooks.relative {
            Some(relative) if !self.namespace_path.is_empty() => {
                let written = String::from_utf8_lossy(&text);
                Cow::Owned(relative(&written, &self.namespace_path).into_bytes())
            }
            _ => text,
        };
        self.references.entry(text).or_insert(start);
    }

    /// The arguments of a macro, which the grammar leaves as tokens: the language searches them by pattern.
    pub fn tokens(&mut self, node: Node<'t>) -> Next {
        let (start, end) = (node.start_byte(), node.end_byte());
        if start >= self.tokens_end {
            self.tokens_end = end;
            if let Some(read) = self.table.hooks.tokens {
                let contents = read(self, self.slice(node));
                for (offset, draft) in contents.imports {
                    let line = self.lines.line(start + offset);
                    self.add_import(draft, line, start + offset);
                }
                if start >= self.decorators_end {
                    let function = self.index();
                    for (offset, target) in contents.calls {
                        self.calls.push(Call { target, offset: start + offset, function, awaited: false });
                    }
                }
                for (offset, text) in contents.names {
                    self.note_reference(text, start + offset);
                }
                if self.at_module_level() {
                    self.definitions.extend(contents.definitions.into_iter().map(Cow::Owned));
                }
            }
        }
        // A comment inside still has to be visited.
        if chars::find(self.source, b"/", start, end).is_none() {
            Next::Skip
        } else {
            Next::Down
        }
    }
}
