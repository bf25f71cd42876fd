//! Control flow: what complexity and nesting are made of.

use crate::chars;
use crate::frames::{Call, OpenCall, Text};
use crate::table::{Entry, PartName, Role};
use crate::walk::{Leaver, Walk};
use std::borrow::Cow;
use tree_sitter::Node;

const JUMPS: &[&str] = &["break", "continue", "goto", "next", "redo", "retry", "fallthrough"];

pub fn jump_word(word: &str) -> Option<&'static str> {
    JUMPS.iter().find(|jump| **jump == word).copied()
}

impl<'t> Walk<'t> {
    /// The word a structure begins with.
    pub fn keyword(&self, node: Node) -> Text<'t> {
        let found = self.p().first_word.match_at(self.source, node.start_byte(), self.source.len());
        match found.and_then(|found| found.group(1)) {
            Some((start, end)) => String::from_utf8_lossy(self.cut(start, end.min(start + 20))),
            None => Cow::Borrowed(""),
        }
    }

    /// Counts a structure and goes inside it, `deeper` levels of nesting and `control` of control flow.
    pub fn nest(&mut self, node: Node<'t>, entry: &'t Entry, deeper: i64, control: i64, structural: bool) {
        if self.frame == 0 {
            let word = self.keyword(entry.part(node, PartName::Keyword).unwrap_or(node));
            let kind = match word.as_ref() {
                "if" => "if",
                "for" | "while" | "do" => "loop",
                "try" | "begin" => "try",
                "with" => "with",
                _ => "other",
            };
            self.top_statement(node, kind, Cow::Borrowed(""), None);
        }
        let at = self.frame;
        let frame = &mut self.frames[at];
        frame.enter(control);
        if structural {
            frame.add_nested_cost();
        }
        frame.nest += deeper;
        self.inside.push(entry.role);
        self.new_leavers.push(Leaver::Nest { frame: at, deeper, control });
    }

    pub fn if_(&mut self, node: Node<'t>, entry: &'t Entry) {
        let table = self.table;
        self.frames[self.frame].cyclomatic += 1;
        self.note_in_handlers("decide", node);
        if table.hooks.branch.is_some() {
            self.open_error_branch(node, entry.part(node, PartName::Then));
        }
        if self.frame == 0 {
            if !table.import_conditions.is_empty() {
                let condition = entry.part(node, PartName::Condition);
                let kind = condition.and_then(|condition| table.import_conditions.get(self.slice(condition)));
                if let (Some(kind), Some(then)) = (kind, entry.part(node, PartName::Then)) {
                    self.import_guards.push((then.start_byte(), then.end_byte(), *kind));
                }
            }
            if !table.test_conditions.is_empty() {
                let condition = entry.part(node, PartName::Condition);
                if condition.is_some_and(|condition| table.test_conditions.contains(self.slice(condition))) {
                    self.test_scopes += 1;
                    self.new_leavers.push(Leaver::Tests);
                }
            }
        }
        if self.else_ifs.contains(&node.id()) {
            self.frames[self.frame].add_flat_cost();
        } else {
            self.nest(node, entry, 1, 1, true);
            self.note_chain(node, entry);
        }
        if let Some(mut other) = entry.part(node, PartName::Else) {
            if other.child_count() == 0 {
                other = other.next_named_sibling().unwrap_or(other); // the keyword: take what follows it
            }
            match self.role(other) {
                Role::If => {
                    self.else_ifs.insert(other.id());
                }
                Role::ElseIf => {}
                _ => self.frames[self.frame].add_flat_cost(),
            }
        }
    }

    pub fn elseif(&mut self, node: Node<'t>, entry: &'t Entry) {
        let at = self.frame;
        self.frames[at].cyclomatic += 1;
        self.frames[at].add_flat_cost();
        if let Some(other) = entry.part(node, PartName::Else) {
            if self.role(other) != Role::ElseIf {
                self.frames[at].add_flat_cost();
            }
        }
    }

    pub fn else_(&mut self, node: Node<'t>) {
        if node.named_child_count() == 1 {
            if let Some(only) = node.named_child(0) {
                if self.role(only) == Role::If {
                    self.else_ifs.insert(only.id());
                    return;
                }
            }
        }
        self.frames[self.frame].add_flat_cost();
        if self.inside.last() == Some(&Role::Try) {
            if let Some(open) = self.open_tries.last() {
                self.try_frames[*open].has_else = true;
            }
        }
    }

    pub fn case(&mut self, node: Node<'t>, entry: &'t Entry) {
        if !entry.guards.is_empty() && !entry.guards_hold(node) {
            return; // a default
        }
        if self.is_handler(node) {
            self.handle(node, entry);
            return;
        }
        self.frames[self.frame].cyclomatic += 1;
        self.frames[self.frame].cases += 1;
        if self.table.hooks.branch.is_some() {
            self.open_error_branch(node, entry.part(node, PartName::Body));
        }
    }

    /// A run of one operator costs 1, however long; `x && <Tag/>` only chooses what is shown.
    pub fn logical(&mut self, node: Node<'t>, entry: &'t Entry) {
        if !entry.guards_hold(node) {
            if !self.open_handlers.is_empty()
                && entry.part(node, PartName::Operator).is_some_and(|operator| operator.kind() == "<<")
            {
                self.note_in_handlers("assign", node);
            }
            if let Some(block) = entry.part(node, PartName::Block) {
                self.call_with_block(node, block);
            }
            return;
        }
        if node.start_byte() < self.directive_end {
            return;
        }
        self.frames[self.frame].cyclomatic += 1;
        let right = entry.part(node, PartName::Right);
        if self.table.role_of(right) == Role::Markup {
            return;
        }
        let left = entry.part(node, PartName::Left);
        let operator = entry.part(node, PartName::Operator);
        self.note_operands(node, entry, left, right);
        if self.table.operators_nest_right {
            self.continue_run(node, entry);
            if self.continued.contains(&node.id()) {
                return;
            }
        }
        if let (Some(left), Some(operator)) = (left, operator) {
            if left.kind_id() == node.kind_id() {
                let inner = entry.part(left, PartName::Operator);
                if inner.is_some_and(|inner| inner.kind_id() == operator.kind_id()) {
                    return;
                }
            }
        }
        self.frames[self.frame].add_flat_cost();
    }

    /// Marks the next operator of the same kind as part of this run, where operators nest to the right.
    fn continue_run(&mut self, node: Node<'t>, entry: &'t Entry) {
        let mut right = entry.part(node, PartName::Right);
        while let Some(next) = right {
            if self.role(next) == Role::Logical {
                break;
            }
            right = entry.part(next, PartName::Right);
        }
        if let Some(right) = right {
            if right.kind_id() == node.kind_id() {
                self.continued.insert(right.id());
            }
        }
    }

    /// Notes the call `f<T> { … }`, which a grammar reads as two comparisons.
    fn call_with_block(&mut self, node: Node<'t>, block: Node<'t>) {
        let start = node.start_byte();
        if let Some(end) = chars::find(self.source, b"<", start, block.start_byte()) {
            let target = self.target(start, end);
            let function = self.index();
            self.calls.push(Call { target: target.clone(), offset: start, function, awaited: false });
            self.open_calls.push(OpenCall {
                end: node.end_byte(),
                arguments_start: end,
                target,
                arguments: None,
                block: Some(block.start_byte()),
            });
            self.note_in_handlers("call", node);
        }
    }

    /// A return, throw or jump, where the grammar has one kind of node for all; the keyword decides.
    pub fn transfer(&mut self, node: Node<'t>, entry: &'t Entry) {
        match self.keyword(node).as_ref() {
            "return" => self.return_(node, entry),
            "throw" => self.raise(node),
            _ => self.jump(node, entry),
        }
    }

    /// A condition for the compiler: it decides nothing at run time.
    pub fn directive(&mut self, node: Node<'t>, entry: &'t Entry) {
        if let Some(condition) = entry.part(node, PartName::Condition) {
            self.directive_end = condition.end_byte();
        }
        if entry.has(PartName::Name) && self.holds_tests(node, entry) {
            self.test_scopes += 1;
            self.new_leavers.push(Leaver::Tests);
        }
    }

    fn holds_tests(&self, node: Node<'t>, entry: &'t Entry) -> bool {
        let (Some(tests), Some(name)) = (&self.table.compiler_conditions, entry.part(node, PartName::Name)) else {
            return false;
        };
        tests.pattern.is_full_match(self.text(name).as_bytes())
            && entry.part(node, PartName::Defined).is_some()
            && entry.part(node, PartName::Else).is_none()
    }

    pub fn jump(&mut self, node: Node<'t>, entry: &'t Entry) {
        let Some(word) = jump_word(&self.keyword(node)) else { return };
        if !entry.guards.is_empty() && entry.guards_hold(node) {
            self.frames[self.frame].add_flat_cost();
        }
        if !self.open_handlers.is_empty() {
            let value = entry.part(node, PartName::Value);
            self.note_in_handlers(if value.is_none() { word } else { "return_value" }, node);
        }
    }

    /// Lines inside an outermost multi-line literal are data, not logic.
    pub fn literal(&mut self, node: Node<'t>) {
        let (start, end) = (node.start_byte(), node.end_byte());
        if chars::find(self.source, b"\n", start, end).is_none() {
            return;
        }
        let (first, last) = (self.lines.line(start), self.lines.last_line(end));
        if last > first + 1 {
            let spans = &mut self.frames[self.frame].literals;
            if spans.last().is_none_or(|span| span.1 < last) {
                spans.push((first, last));
            }
        }
    }

    /// `a shouldBe b` is a call, `a && b` a condition, `a += b` an assignment.
    pub fn infix(&mut self, node: Node<'t>, entry: &'t Entry) {
        let word = entry.part(node, PartName::Operator).or_else(|| node.named_child(1));
        let text = self.text_of(word);
        let is_call = text.chars().next().is_some_and(|first| chars::has(first as u32, chars::ALPHA))
            || matches!(text.as_ref(), "===" | "=!=");
        match (text.as_ref(), word) {
            ("&&" | "||", _) => {
                self.frames[self.frame].cyclomatic += 1;
                if let Some(left) = entry.part(node, PartName::Left) {
                    if left.kind_id() == node.kind_id() {
                        let inner = entry.part(left, PartName::Operator);
                        if inner.is_some_and(|inner| self.text(inner) == text) {
                            return;
                        }
                    }
                }
                self.frames[self.frame].add_flat_cost();
            }
            ("class" | "object", _) => {
                if let (Some(last), true) = (self.last_child(node), self.at_module_level()) {
                    let name = self.text(last);
                    self.definitions.insert(name);
                }
            }
            (_, Some(word)) if is_call => {
                let function = self.index();
                self.calls.push(Call { target: text, offset: word.start_byte(), function, awaited: false });
                self.note_in_handlers("call", node);
                self.infix_test(node, entry, word);
            }
            (operator, _) => {
                let compares = matches!(operator, "==" | "!=" | "<=" | ">=" | "===" | "!==");
                if operator.ends_with('=') && !compares {
                    self.note_in_handlers("assign", node);
                }
            }
        }
    }

    /// `"a stack" should "be empty" in { … }`: the block is a test, the last text before it its name.
    fn infix_test(&mut self, node: Node<'t>, entry: &'t Entry, word: Node<'t>) {
        let text = self.text(word);
        let (Some(tests), Some(right)) = (&self.table.test_calls, entry.part(node, PartName::Right)) else { return };
        if self.role(right) != Role::Block || !tests.pattern.is_match(text.as_bytes()) {
            return;
        }
        let mut label = entry.part(node, PartName::Left);
        if let Some(inner) = label {
            if inner.kind_id() == node.kind_id() {
                label = entry.part(inner, PartName::Right);
            }
        }
        self.test_blocks.insert(right.id());
        self.open_calls.push(OpenCall {
            end: node.end_byte(),
            arguments_start: word.start_byte(),
            target: text,
            arguments: label,
            block: Some(right.start_byte()),
        });
    }
}
