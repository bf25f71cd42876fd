//! The control structures of one function, as a tree of parts in the order of the source.

use crate::control::jump_word;
use crate::table::{Entry, PartName, Role, Selector};
use crate::walk::Walk;
use foldhash::HashMap;
use tree_sitter::Node;

/// A structure, an arm of one, or a condition.
pub struct Part<'t> {
    pub role: &'static str,
    pub node: Node<'t>,
    pub start: usize,
    pub end: usize,
    pub parent: Option<usize>,
    pub inner: Vec<usize>,
    pub frame: Option<usize>, // of a function that is a fact
    pub is_named_function: bool,
    pub structural: i64, // costs 1 plus its nesting
    pub raw_flat: i64,   // costs 1
    pub deeper: i64,     // levels it adds
    pub in_markup: bool,
    pub is_dispatch: bool,
    pub reason: &'static str,
    pub flat: i64,
    pub slope: i64,
}

struct Outline<'w, 't> {
    walk: &'w mut Walk<'t>,
    frames: &'w HashMap<usize, usize>,
    parts: Vec<Part<'t>>,
    open: Vec<usize>,
}

fn is_structure(role: Role) -> bool {
    matches!(role, Role::Loop | Role::Switch | Role::Ternary | Role::Handler | Role::Catches)
}

pub fn is_control(entry: &Entry) -> bool {
    is_structure(entry.role)
        || matches!(
            entry.role,
            Role::Function
                | Role::Lambda
                | Role::If
                | Role::ElseIf
                | Role::Else
                | Role::Case
                | Role::Arm
                | Role::Try
                | Role::Logical
                | Role::Infix
                | Role::Jump
                | Role::Transfer
                | Role::Markup
                | Role::Directive
        )
        || (entry.role == Role::Binding && entry.has(PartName::Else))
}

/// Whether a node has the tokens that its pattern asks for: most operators decide nothing.
fn has_guarded_tokens(node: Node, entry: &Entry) -> bool {
    for (selector, tokens) in &entry.guards {
        if let (Selector::Field(field), Some(tokens)) = (selector, tokens) {
            let children = crate::table::children_of_field(node, *field);
            if !children.iter().any(|child| !child.is_named() && tokens.iter().any(|token| token == child.kind())) {
                return false;
            }
        }
    }
    if entry.role == Role::Binding {
        if let Some(Selector::Field(field)) = entry.selector(PartName::Else) {
            return crate::table::children_of_field(node, *field).iter().any(Node::is_named);
        }
    }
    true
}

impl<'t> Outline<'_, 't> {
    fn add(&mut self, role: &'static str, node: Node<'t>, parent: Option<usize>) -> usize {
        let at = self.parts.len();
        self.parts.push(Part {
            role,
            node,
            start: node.start_byte(),
            end: node.end_byte(),
            parent,
            inner: Vec::new(),
            frame: None,
            is_named_function: false,
            structural: 0,
            raw_flat: 0,
            deeper: 0,
            in_markup: parent.is_some_and(|parent| self.parts[parent].in_markup),
            is_dispatch: false,
            reason: "",
            flat: 0,
            slope: 0,
        });
        if let Some(parent) = parent {
            self.parts[parent].inner.push(at);
        }
        self.open.push(at);
        at
    }

    /// An arm of the structure whose first arm is open; elsewhere, a part like any other.
    fn add_arm(&mut self, role: &'static str, node: Node<'t>) -> usize {
        let top = *self.open.last().expect("arms stand in something");
        let part = &self.parts[top];
        let beside = matches!(part.role, "then" | "elseif") && part.parent.is_some();
        let parent = if beside { part.parent } else { Some(top) };
        self.add(role, node, parent)
    }

    fn break_flow(&mut self, at: usize) {
        self.parts[at].deeper = 1;
        self.parts[at].structural = i64::from(!self.parts[at].in_markup);
    }

    fn cost_one(&mut self, at: usize) {
        self.parts[at].raw_flat = i64::from(!self.parts[at].in_markup);
    }

    fn visit(&mut self, node: Node<'t>, entry: Option<&'t Entry>) {
        let top = self.open.last().copied();
        let role = entry.map_or(Role::LastArm, |entry| entry.role);
        let Some(top) = top else {
            self.function(node, entry, None);
            return;
        };
        let Some(entry) = entry else {
            let at = self.add_arm("else", node);
            self.cost_one(at);
            return;
        };
        match role {
            Role::Function | Role::Lambda => self.function(node, Some(entry), Some(top)),
            Role::If => {
                if self.walk.else_ifs.contains(&node.id()) {
                    let at = self.add_arm("elseif", node);
                    self.cost_one(at);
                } else {
                    let at = self.add("if", node, Some(top));
                    self.break_flow(at);
                    self.add("then", node, Some(at));
                }
            }
            Role::ElseIf => {
                let at = self.add_arm("elseif", node);
                self.cost_one(at);
            }
            Role::Directive => {
                let condition = entry.part(node, PartName::Condition);
                self.walk.directive_end = condition.map_or(0, |condition| condition.end_byte());
            }
            Role::Else => {
                let only = if node.named_child_count() == 1 { node.named_child(0) } else { None };
                if only.is_none_or(|only| !self.walk.else_ifs.contains(&only.id())) {
                    let at = self.add_arm("else", node);
                    self.cost_one(at);
                }
            }
            _ if is_structure(role) => {
                let at = if role == Role::Handler {
                    self.add_arm("handler", node)
                } else {
                    self.add(role.text(), node, Some(top))
                };
                self.break_flow(at);
            }
            Role::Case | Role::Arm => {
                if self.parts[top].role != "arm" && self.parts[top].start != node.start_byte() {
                    self.add(role.text(), node, Some(top));
                }
            }
            Role::Try => {
                if entry.guards.is_empty() || entry.guards_hold(node) {
                    let at = self.add("try", node, Some(top));
                    self.add("then", node, Some(at));
                }
            }
            Role::Binding => {
                if entry.part(node, PartName::Else).is_some() {
                    let structural = i64::from(!self.parts[top].in_markup);
                    let at = self.add("let else", node, Some(top));
                    self.parts[at].structural = structural;
                }
            }
            Role::Markup => {
                let at = self.add("markup", node, Some(top));
                self.parts[at].in_markup = true;
            }
            _ => {
                let costs = match role {
                    Role::Logical => entry.guards_hold(node) && self.begins_run(node, entry),
                    Role::Infix => self.infix_begins_run(node, entry),
                    Role::Jump | Role::Transfer => {
                        !entry.guards.is_empty()
                            && jump_word(&self.walk.keyword(node)).is_some()
                            && entry.guards_hold(node)
                    }
                    _ => false,
                };
                if costs {
                    let at = self.add(role.text(), node, Some(top));
                    self.cost_one(at);
                }
            }
        }
    }

    fn function(&mut self, node: Node<'t>, entry: Option<&'t Entry>, top: Option<usize>) {
        let frame = self.frames.get(&node.id()).copied();
        let declares =
            entry.is_some_and(|entry| entry.role == Role::Function && entry.has(PartName::Name));
        if top.is_some() && frame.is_none() && declares {
            return; // a declaration without a body, or a statement that is misread as a function
        }
        let at = self.add("function", node, top);
        let mut around = top;
        while let Some(part) = around {
            if self.parts[part].frame.is_some() {
                break;
            }
            around = self.parts[part].parent;
        }
        let flat = around.and_then(|part| self.parts[part].frame).is_some_and(|frame| self.walk.frames[frame].flat);
        let part = &mut self.parts[at];
        part.frame = frame;
        part.deeper = i64::from(!flat);
        if let Some(frame) = frame {
            let frame = &self.walk.frames[frame];
            part.in_markup = false;
            part.raw_flat = i64::from(frame.recursive);
            part.is_named_function = !frame.anonymous;
        }
    }

    /// The node of the last arm of a chain, if it has no role of its own.
    fn last_arm(&self, node: Node<'t>, entry: &'t Entry) -> Option<Node<'t>> {
        let mut other = entry.part(node, PartName::Else)?;
        if other.child_count() == 0 {
            other = other.next_named_sibling().unwrap_or(other); // the keyword: take what follows it
        }
        (!matches!(self.walk.role(other), Role::If | Role::ElseIf)).then_some(other)
    }

    fn begins_run(&self, node: Node<'t>, entry: &'t Entry) -> bool {
        let walk = &self.walk;
        if node.start_byte() < walk.directive_end
            || walk.table.role_of(entry.part(node, PartName::Right)) == Role::Markup
        {
            return false;
        }
        if walk.table.operators_nest_right && walk.continued.contains(&node.id()) {
            return false;
        }
        let (left, operator) = (entry.part(node, PartName::Left), entry.part(node, PartName::Operator));
        let (Some(left), Some(operator)) = (left, operator) else { return true };
        if left.kind_id() != node.kind_id() {
            return true;
        }
        entry.part(left, PartName::Operator).is_none_or(|inner| inner.kind_id() != operator.kind_id())
    }

    fn infix_begins_run(&self, node: Node<'t>, entry: &'t Entry) -> bool {
        let text = self.operator(node, entry);
        if text != "&&" && text != "||" {
            return false;
        }
        match entry.part(node, PartName::Left) {
            None => true,
            Some(left) => left.kind_id() != node.kind_id() || self.operator(left, entry) != text,
        }
    }

    fn operator(&self, node: Node<'t>, entry: &'t Entry) -> crate::frames::Text<'t> {
        self.walk.text_of(entry.part(node, PartName::Operator).or_else(|| node.named_child(1)))
    }
}

/// The parts of a function in the order of the source; the first is the function itself.
pub fn outline_of<'t>(walk: &mut Walk<'t>, frame: usize, frames: &HashMap<usize, usize>) -> Vec<Part<'t>> {
    let Some(root) = walk.frames[frame].node else { return Vec::new() };
    walk.directive_end = 0;
    let table = walk.table;
    let mut rows: Vec<(usize, usize, bool, Node<'t>, Option<&'t Entry>)> = Vec::new();
    let mut cursor = root.walk();
    let mut depth = 0;
    'nodes: loop {
        let node = cursor.node();
        if let Some(entry) = table.entry(node.kind_id()) {
            if is_control(entry) && has_guarded_tokens(node, entry) {
                rows.push((node.start_byte(), usize::MAX - node.end_byte(), true, node, Some(entry)));
            }
        }
        // Tokens are seldom part of control: a node that has no other children is not entered.
        if (table.has_control_tokens || node.named_child_count() > 0) && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if depth == 0 {
                break 'nodes;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            depth -= 1;
        }
    }
    let mut outline = Outline { walk, frames, parts: Vec::new(), open: Vec::new() };
    let mut last_arms = Vec::new();
    for row in &rows {
        let entry = row.4.expect("rows of nodes have an entry");
        if matches!(entry.role, Role::If | Role::ElseIf) {
            if let Some(arm) = outline.last_arm(row.3, entry) {
                last_arms.push((arm.start_byte(), usize::MAX - arm.end_byte(), false, arm, None));
            }
        }
    }
    rows.extend(last_arms);
    rows.sort_by_key(|row| (row.0, row.1, row.2));
    for (start, _, _, node, entry) in rows {
        while outline.open.last().is_some_and(|part| outline.parts[*part].end <= start) {
            outline.open.pop();
        }
        outline.visit(node, entry);
    }
    outline.parts
}
