//! Decisions that repeat themselves: an `else` that does what the arm before it does, conditions that were asked before.

use crate::chars::{self, strip_bytes, strip_of};
use crate::frames::Repeat;
use crate::table::{Entry, PartName, Role};
use crate::walk::Walk;
use foldhash::{HashMap, HashSet};
use tree_sitter::Node;

const MAX_CONDITION_BYTES: usize = 300;
const MAX_ARMS: usize = 100;
const MAX_TEXT_CHARS: usize = 120;
const MAX_OPERANDS: usize = 6;

/// One arm of a decision, in offsets; the condition of an `else` is empty.
struct Arm<'t> {
    condition: &'t [u8],
    body: &'t [u8],
    start: usize,
    end: usize,
    runs_on: bool,
}

impl<'t> Walk<'t> {
    /// Notes what repeats in a chain of conditions that begins with this one.
    pub fn note_chain(&mut self, node: Node<'t>, entry: &'t Entry) {
        if entry.part(node, PartName::Else).is_none() {
            let count = node.child_count();
            let last = if count > 0 { node.child(count as u32 - 1) } else { None };
            if !matches!(self.table.role_of(last), Role::Else | Role::ElseIf) {
                return;
            }
        }
        if node.has_error() {
            return;
        }
        let arms = self.arms(node, entry);
        if arms.len() > 1 {
            self.note_conditions(&arms);
            self.note_bodies(&arms);
        }
    }

    /// The arms of a chain, in order. Grammars nest the later ones, or list them.
    fn arms(&self, node: Node<'t>, entry: &'t Entry) -> Vec<Arm<'t>> {
        let (mut node, mut entry) = (node, entry);
        let mut arms = Vec::new();
        for _ in 0..MAX_ARMS {
            arms.extend(self.arm(node, entry));
            let keyword = entry.part(node, PartName::Else);
            let mut other = keyword;
            if let Some(found) = other {
                if found.child_count() == 0 {
                    other = found.next_named_sibling(); // the keyword: take what follows it
                }
            }
            let mut following: Option<Node<'t>> = None;
            let alternatives = match other {
                Some(other) => vec![other],
                None => self.named_children(node),
            };
            for alternative in alternatives {
                let role = self.role(alternative);
                let only = if alternative.named_child_count() == 1 { alternative.named_child(0) } else { None };
                if matches!(role, Role::If | Role::ElseIf) && (other.is_some() || role == Role::ElseIf) {
                    following = Some(alternative);
                    if other.is_none() {
                        if let Some(entry) = self.table.entry(alternative.kind_id()) {
                            arms.extend(self.arm(alternative, entry));
                        }
                    }
                } else if role == Role::Else && self.table.role_of(only) == Role::If {
                    following = only;
                } else if role == Role::Else || other.is_some() {
                    let start = keyword.unwrap_or(alternative).start_byte();
                    let body = self.arm_body(alternative);
                    arms.push(Arm { condition: b"", body, start, end: alternative.end_byte(), runs_on: false });
                }
            }
            let Some(next) = following else { return arms };
            if other.is_none() && self.role(next) == Role::ElseIf {
                return arms;
            }
            node = next;
            match self.table.entry(next.kind_id()) {
                Some(found) => entry = found,
                None => return arms,
            }
        }
        arms
    }

    fn arm(&self, node: Node<'t>, entry: &'t Entry) -> Option<Arm<'t>> {
        let condition = entry.part(node, PartName::Condition);
        let then = entry.part(node, PartName::Then).or_else(|| condition.and_then(|node| node.next_named_sibling()))?;
        let other = entry.part(node, PartName::Else);
        let is_empty = other.is_some_and(|other| other.start_byte() == then.start_byte());
        let end = match condition {
            Some(condition) if is_empty => condition.end_byte(),
            _ => then.start_byte(),
        };
        let written = self.cut(node.start_byte(), end);
        let from = self.p().condition_word.match_at(written, 0, written.len()).map_or(0, |found| found.end);
        let condition = &written[from..];
        let kept = condition.iter().rposition(|byte| !b" \t\r\n:{".contains(byte)).map_or(0, |at| at + 1);
        Some(Arm {
            condition: &condition[..kept],
            body: if is_empty { b"" } else { self.arm_body(then) },
            start: node.start_byte(),
            end: if is_empty { end } else { then.end_byte() },
            runs_on: false,
        })
    }

    fn arm_body(&self, node: Node<'t>) -> &'t [u8] {
        let written = strip_bytes(self.slice(node));
        match self.p().body_word.match_at(written, 0, written.len()) {
            Some(found) => &written[found.end..],
            None => written,
        }
    }

    fn note_conditions(&mut self, arms: &[Arm<'t>]) {
        let mut asked: HashMap<&'t [u8], usize> = HashMap::default();
        for (number, arm) in arms.iter().enumerate() {
            if arm.condition.is_empty() || arm.condition.len() > MAX_CONDITION_BYTES {
                continue;
            }
            let before = *asked.entry(arm.condition).or_insert(number);
            if before != number {
                let alike = 1 + usize::from(arm.body == arms[before].body);
                self.note_repeat("condition", &arms[before], arm, arm.condition, b"", (alike, 2));
            }
            let changed = self.changed_names(arm.condition);
            if !changed.is_empty() {
                let identifier = &self.p().identifier; // what was asked of them is a new question now
                asked.retain(|text, _| {
                    !identifier.find_all(text, 0, text.len()).iter().any(|found| changed.contains(&text[found.start..found.end]))
                });
            }
        }
    }

    /// The names that a condition gives another value: `(error = f()) < 0`.
    fn changed_names(&self, condition: &'t [u8]) -> HashSet<&'t [u8]> {
        let mut names = HashSet::default();
        if !self.p().changes.contains(condition) {
            return names;
        }
        for found in self.p().changed.find_all(condition, 0, condition.len()) {
            for group in [1, 2] {
                if let Some((start, end)) = found.group(group) {
                    if end > start {
                        names.insert(&condition[start..end]);
                    }
                }
            }
        }
        names
    }

    /// Notes an `else` that does what the arm before it does; not where a condition gives the names another meaning.
    fn note_bodies(&mut self, arms: &[Arm<'t>]) {
        let [.., before, last] = arms else { return };
        let body = last.body;
        if !last.condition.is_empty() || body.is_empty() || before.body != body {
            return;
        }
        let alike: Vec<&Arm<'t>> = arms.iter().filter(|arm| arm.body == body).collect();
        if alike.iter().any(|arm| self.p().binds.contains(arm.condition)) {
            return;
        }
        let conditions: Vec<&[u8]> = alike.iter().map(|arm| arm.condition).filter(|text| !text.is_empty()).collect();
        let text = conditions.join(&b"; "[..]);
        self.note_repeat("branch", before, last, body, &text, (alike.len(), arms.len()));
    }

    /// Notes labels of a switch or match that stand there twice.
    pub fn note_switch(&mut self, node: Node<'t>) {
        if node.has_error() {
            return;
        }
        let mut block = node;
        for child in self.named_children(node) {
            let holds_case = self
                .named_children(child)
                .into_iter()
                .take(2)
                .any(|inner| self.table.role_of(self.case_label(inner)) == Role::Case);
            if holds_case {
                block = child;
            }
        }
        let cases = self.named_children(block).into_iter().take(MAX_ARMS);
        let arms: Vec<Arm<'t>> = cases.filter_map(|child| self.case_arm(child)).collect();
        if arms.len() < 2 {
            return;
        }
        let mut labels: HashMap<&'t [u8], usize> = HashMap::default();
        let runs_on = self.p().runs_on.match_at(self.source, node.start_byte(), self.source.len()).is_some();
        for (number, arm) in arms.iter().enumerate() {
            let first = *labels.entry(arm.condition).or_insert(number);
            let between = &arms[first..number];
            if runs_on && between.iter().any(|arm| !arm.body.is_empty()) && between.iter().all(|arm| arm.runs_on) {
                continue; // the first one's code runs on into this one
            }
            if first != number && !arm.condition.is_empty() {
                let alike = 1 + usize::from(arm.body == arms[first].body);
                self.note_repeat("label", &arms[first], arm, arm.condition, b"", (alike, 2));
            }
        }
    }

    /// A case with its label; none for a default, and for labels that a guard or further labels follow.
    fn case_arm(&self, node: Node<'t>) -> Option<Arm<'t>> {
        let label = self.case_label(node)?;
        let entry = self.table.entry(label.kind_id())?;
        if entry.role != Role::Case || entry.has(PartName::Type) {
            return None;
        }
        let value = if self.role(node) != Role::Case { label } else { node.named_child(0)? };
        if matches!(self.role(value), Role::Decorator | Role::Comment) || self.p().attribute.is_match(self.slice(value)) {
            return None;
        }
        if self.p().arrow.search(self.source, node.start_byte(), value.start_byte()).is_some() {
            return None; // `else -> value`: what comes first is the value of a default
        }
        let rest = self.cut(value.end_byte(), node.end_byte());
        if self.p().guard.is_match(rest) {
            return None;
        }
        let children = self.named_children(node);
        let last = children.iter().skip(1).rfind(|child| self.role(**child) != Role::Comment);
        let jumps = last.is_some_and(|last| self.p().jump.contains(self.slice(*last)));
        Some(Arm {
            condition: self.slice(value),
            body: strip_of(rest, b" \t\r\n:,;"),
            start: node.start_byte(),
            end: node.end_byte(),
            runs_on: !jumps,
        })
    }

    /// The case itself, or the first label of a group of labels and statements.
    fn case_label(&self, node: Node<'t>) -> Option<Node<'t>> {
        if self.role(node) == Role::Case {
            Some(node)
        } else {
            node.named_child(0)
        }
    }

    /// Notes a conditional expression whose two values are the same.
    pub fn note_ternary(&mut self, node: Node<'t>) {
        if node.named_child_count() != 3 {
            return;
        }
        let children = self.named_children(node);
        let [first, second, third] = children[..] else { return };
        let value_first = self.p().value_first.match_at(self.source, first.end_byte(), second.start_byte()).is_some();
        let (then, condition) = if value_first { (first, second) } else { (second, first) };
        let written = self.slice(third);
        if self.slice(then) == written && !self.p().binds.contains(self.slice(condition)) {
            let (start, end) = (node.start_byte(), node.end_byte());
            let arm = Arm { condition: b"", body: written, start, end, runs_on: false };
            self.note_repeat("value", &arm, &arm, written, b"", (2, 2));
        }
    }

    /// Notes an operand that stands twice in one run of `&&` or `||`.
    pub fn note_operands(
        &mut self,
        node: Node<'t>,
        entry: &'t Entry,
        left: Option<Node<'t>>,
        right: Option<Node<'t>>,
    ) {
        let (Some(mut left), Some(right)) = (left, right) else { return };
        let operator = entry.part(node, PartName::Operator);
        let written = self.slice(right);
        let is_or = operator.is_some_and(|operator| matches!(operator.kind(), "or" | "||"));
        if !is_or && self.p().otherwise.match_at(self.source, right.end_byte(), self.source.len()).is_some() {
            return; // `a and a or b`: how some write a choice
        }
        let mut is_name = None;
        for step in 0..MAX_OPERANDS {
            if step > 0 && *is_name.get_or_insert_with(|| self.p().repeat_name.is_full_match(written)) {
                return; // `a and a.ready and a`: the value of the whole
            }
            let (mut previous, mut moved) = (left, false);
            if left.kind_id() == node.kind_id() {
                match (entry.part(left, PartName::Operator), operator) {
                    (Some(inner), Some(operator)) if inner.kind_id() == operator.kind_id() => {}
                    _ => return,
                }
                if let Some(inner) = entry.part(left, PartName::Right) {
                    (previous, moved) = (inner, true);
                }
            }
            if self.slice(previous) == written {
                let between = self.cut(previous.end_byte(), right.start_byte());
                if between.contains(&b'(') || self.p().changes.contains(between) {
                    return; // what is asked in between may change the answer
                }
                let arm = |node: Node<'t>| Arm {
                    condition: b"",
                    body: written,
                    start: node.start_byte(),
                    end: node.end_byte(),
                    runs_on: false,
                };
                self.note_repeat("operand", &arm(previous), &arm(right), written, b"", (0, 0));
                return;
            }
            match entry.part(left, PartName::Left) {
                Some(following) if moved => left = following,
                _ => return,
            }
        }
    }

    fn note_repeat(
        &mut self,
        kind: &'static str,
        first: &Arm<'t>,
        again: &Arm<'t>,
        written: &[u8],
        text: &[u8],
        arms: (usize, usize),
    ) {
        let shown = if text.is_empty() { written } else { text };
        let shown = String::from_utf8_lossy(&shown[..shown.len().min(4 * MAX_TEXT_CHARS)]);
        let shown = crate::words::squeeze(&shown, " ");
        let repeat = Repeat {
            kind,
            line: self.lines.line(again.start),
            end: self.lines.last_line(again.end),
            first: self.lines.line(first.start),
            function: self.index(),
            text: chars::cut(&shown, MAX_TEXT_CHARS).to_owned(),
            tokens: self.p().token.find_all(written, 0, written.len()).len(),
            alike: arms.0,
            arms: arms.1,
        };
        self.repeats.push(repeat);
    }
}
