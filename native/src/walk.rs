//! One walk over one file: where it is, what it has gathered, and the loop that visits every node once.

use crate::chars::{self, is_white};
use crate::frames::*;
use crate::lines::Lines;
use crate::table::{Action, EdgeKind, Entry, Patterns, Role, Table};
use std::borrow::Cow;
use foldhash::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::{Node, Tree};

pub const MAX_NAME_CHARS: usize = 60;
pub const MAX_DOTTED_CHARS: usize = 4_000;
const MAX_TREE_DEPTH: usize = 1_000_000; // the walk keeps a stack of its own: deeper trees than memory allows do not come

const BYTES_PER_FUNCTION: usize = 400; // of ordinary source

/// What the walk does after an action.
pub enum Next {
    Down,
    Skip,
    DownTo(usize),
}

pub enum Leaver<'t> {
    Tests,
    Nest { frame: usize, deeper: i64, control: i64 },
    Markup(usize),
    Lambda(usize),
    Function { entry: &'t Entry, frame: usize, outer: usize, handler: Option<usize>, may_recurse: bool },
    Callback(usize),
    Scope,
    Try(usize),
    Handler,
    Modifier(usize),
    ErrorBranch { handler: usize, outlives: bool },
    Decorators,
    Namespace { in_test: bool, around: String },
    Package,
    Implementation { in_test: bool },
}

pub struct Walk<'t> {
    pub source: &'t [u8],
    pub table: &'t Table,
    pub lines: Lines<'t>,
    pub frame: usize,
    pub scopes: Vec<Scope>,
    pub frames: Vec<FunctionFrame<'t>>, // the first is the module
    pub classes: Vec<ClassFrame<'t>>,
    pub imports: Vec<Import<'t>>,
    pub exports: Vec<Export<'t>>,
    pub has_export_list: bool,
    pub definitions: BTreeSet<Text<'t>>,
    pub calls: Vec<Call<'t>>,
    pub handlers: Vec<Handler<'t>>,
    pub comments: Vec<Comment<'t>>,
    pub texts: Vec<TextFact<'t>>,
    pub statements: Vec<Statement<'t>>,
    pub errors: Vec<(usize, usize)>,
    pub packages: Vec<String>,
    pub repeats: Vec<Repeat>,
    pub overwrites: Vec<Overwrite<'t>>,
    pub references: BTreeMap<Cow<'t, [u8]>, usize>,
    pub free_names: HashMap<&'t [u8], usize>,
    pub tracks_declared: bool,
    pub type_parameters: HashSet<&'t [u8]>,
    pub declared: HashSet<&'t [u8]>,
    pub key_at: Option<usize>,
    pub declared_at: Option<usize>,
    pub names: HashMap<usize, String>,
    pub decorators: Vec<Text<'t>>,
    pub decorators_end: usize,
    pub namespaces: Vec<String>,
    pub types_by_name: HashMap<String, usize>,
    pub namespace_path: String,
    pub directive_end: usize,
    pub tokens_end: usize,
    pub test_scopes: i64,
    pub inside: Vec<Role>,
    pub else_ifs: HashSet<usize>,
    pub continued: HashSet<usize>,
    pub awaited: HashSet<usize>,
    pub try_frames: Vec<TryFrame>,
    pub open_tries: Vec<usize>,
    pub handler_frames: Vec<HandlerFrame<'t>>,
    pub open_handlers: Vec<usize>,
    pub field: (usize, Text<'t>),
    pub members: HashSet<usize>,
    pub handler_functions: HashMap<usize, (usize, usize)>,
    pub open_calls: Vec<OpenCall<'t>>,
    pub test_blocks: HashSet<usize>,
    pub inner_calls: HashSet<usize>,
    pub arguments: HashMap<usize, HashSet<usize>>,
    pub bare: Option<(usize, usize)>,
    pub import_guards: Vec<(usize, usize, EdgeKind)>,
    pub statement_end: usize,
    pub new_leavers: Vec<Leaver<'t>>,
    pub targets: HashMap<&'t [u8], Text<'t>>,
    pub callees: HashMap<&'t [u8], Option<(Text<'t>, Text<'t>)>>,
}

impl<'t> Walk<'t> {
    pub fn new(source: &'t [u8], table: &'t Table) -> Self {
        let mut module = FunctionFrame::new(-1, Cow::Borrowed(""), 0, source.len());
        module.statement_like = true;
        let mut frames = Vec::with_capacity(4 + source.len() / BYTES_PER_FUNCTION);
        frames.push(module);
        Walk {
            source,
            table,
            lines: Lines::new(source),
            frame: 0,
            scopes: vec![Scope::Function(0)],
            frames,
            classes: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            has_export_list: false,
            definitions: BTreeSet::new(),
            calls: Vec::new(),
            handlers: Vec::new(),
            comments: Vec::new(),
            texts: Vec::new(),
            statements: Vec::new(),
            errors: Vec::new(),
            packages: Vec::new(),
            repeats: Vec::new(),
            overwrites: Vec::new(),
            references: BTreeMap::new(),
            free_names: HashMap::default(),
            tracks_declared: table.free_names || table.bare_calls,
            type_parameters: HashSet::default(),
            declared: HashSet::default(),
            key_at: None,
            declared_at: None,
            names: HashMap::default(),
            decorators: Vec::new(),
            decorators_end: 0,
            namespaces: Vec::new(),
            types_by_name: HashMap::default(),
            namespace_path: String::new(),
            directive_end: 0,
            tokens_end: 0,
            test_scopes: 0,
            inside: Vec::new(),
            else_ifs: HashSet::default(),
            continued: HashSet::default(),
            awaited: HashSet::default(),
            try_frames: Vec::new(),
            open_tries: Vec::new(),
            handler_frames: Vec::new(),
            open_handlers: Vec::new(),
            field: (0, Cow::Borrowed("")),
            members: HashSet::default(),
            handler_functions: HashMap::default(),
            open_calls: Vec::new(),
            test_blocks: HashSet::default(),
            inner_calls: HashSet::default(),
            arguments: HashMap::default(),
            bare: None,
            import_guards: Vec::new(),
            statement_end: 0,
            new_leavers: Vec::new(),
            targets: HashMap::default(),
            callees: HashMap::default(),
        }
    }

    /// Visits every node once, in order. False if the tree is deeper than this reader goes.
    pub fn run(&mut self, tree: &'t Tree) -> bool {
        let table = self.table;
        let mut cursor = tree.walk();
        let mut leavers: Vec<(usize, Vec<Leaver<'t>>)> = Vec::new();
        let mut depth = 0usize;
        loop {
            let node = cursor.node();
            let kind = node.kind_id();
            let action = table.action(kind);
            let mut down = false;
            // Tokens hold no facts: a node that has no other children is not entered.
            if action == Action::Inside {
                down = node.named_child_count() > 0 && cursor.goto_first_child();
            } else if action != Action::Pass {
                let next = self.act(action, node, kind);
                if !self.new_leavers.is_empty() {
                    leavers.push((depth, std::mem::take(&mut self.new_leavers)));
                }
                down = match next {
                    Next::Skip => false,
                    Next::Down => node.named_child_count() > 0 && cursor.goto_first_child(),
                    Next::DownTo(offset) => cursor.goto_first_child_for_byte(offset).is_some(),
                };
            }
            if down {
                depth += 1;
                if depth > MAX_TREE_DEPTH {
                    return false;
                }
                continue;
            }
            if action != Action::Inside && action != Action::Pass {
                self.leave(&mut leavers, depth);
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return true;
                }
                depth -= 1;
                self.leave(&mut leavers, depth);
            }
        }
    }

    fn leave(&mut self, leavers: &mut Vec<(usize, Vec<Leaver<'t>>)>, depth: usize) {
        while leavers.last().is_some_and(|(at, _)| *at == depth) {
            let (_, group) = leavers.pop().expect("there is a last one");
            for leaver in group.into_iter().rev() {
                self.finish(leaver);
            }
        }
    }

    fn finish(&mut self, leaver: Leaver<'t>) {
        match leaver {
            Leaver::Tests => self.test_scopes -= 1,
            Leaver::Nest { frame, deeper, control } => {
                self.frames[frame].nest -= deeper;
                self.frames[frame].control -= control;
                self.inside.pop();
            }
            Leaver::Markup(frame) => self.frames[frame].markup -= 1,
            Leaver::Lambda(frame) => {
                self.frames[frame].nest -= 1;
                self.frames[frame].lambdas -= 1;
            }
            Leaver::Function { entry, frame, outer, handler, may_recurse } => {
                self.leave_function(entry, frame, outer, handler, may_recurse);
            }
            Leaver::Callback(handler) => {
                self.open_handlers.pop();
                self.finish_handler(handler, None);
            }
            Leaver::Scope => {
                self.scopes.pop();
            }
            Leaver::Try(frame) => self.leave_try(frame),
            Leaver::Handler => {
                self.open_handlers.pop();
            }
            Leaver::Modifier(handler) => {
                self.open_handlers.retain(|open| *open != handler);
                self.finish_handler(handler, None);
            }
            Leaver::ErrorBranch { handler, outlives } => self.leave_error_branch(handler, outlives),
            Leaver::Decorators => self.decorators.clear(),
            Leaver::Namespace { in_test, around } => {
                self.scopes.pop();
                self.test_scopes -= i64::from(in_test);
                self.namespace_path = around;
            }
            Leaver::Package => {
                self.namespaces.pop();
            }
            Leaver::Implementation { in_test } => {
                self.scopes.pop();
                self.test_scopes -= i64::from(in_test);
            }
        }
    }

    fn act(&mut self, action: Action, node: Node<'t>, kind: u16) -> Next {
        if action == Action::Error {
            if self.errors.len() < 20 {
                self.errors.push((self.lines.line(node.start_byte()), self.lines.last_line(node.end_byte())));
            }
            return Next::Down;
        }
        let entry = self.table.entry(kind).expect("kinds with an action have an entry");
        match action {
            Action::FlatCall => return self.flat_call(node, entry),
            Action::FlatLiteral => return self.flat_literal(node),
            Action::FlatAttribute => return self.flat_attribute(node, entry),
            _ => {}
        }
        match entry.role {
            Role::Function => self.function(node, entry),
            Role::Lambda => self.nesting_only(),
            Role::Class => self.class(node, entry),
            Role::Bases => self.bases(node),
            Role::Type => self.type_(node, entry),
            Role::Implementation => self.implementation(node, entry),
            Role::AnonymousType => self.enter_anonymous_type("object"),
            Role::Namespace => return self.namespace(node, entry),
            Role::Package => return self.package(node, entry),
            Role::Decorator => self.decorator(node, entry),
            Role::Binding => self.binding(node, entry),
            Role::Member => self.member(node, entry),
            Role::Field => self.field_of_type(node, entry),
            Role::Attribute => return self.attribute(node, entry),
            Role::Name => {
                self.name(node);
                return Next::Skip;
            }
            Role::Reference => return self.reference(node),
            Role::TypeParameter => self.type_parameter(node, entry),
            Role::Tokens => return self.tokens(node),
            Role::Directive => self.directive(node, entry),
            Role::Parameters => return self.parameters(node),
            Role::If => self.if_(node, entry),
            Role::ElseIf => self.elseif(node, entry),
            Role::Else => self.else_(node),
            Role::Loop => {
                self.frames[self.frame].cyclomatic += 1;
                self.nest(node, entry, 1, 1, true);
            }
            Role::Switch => {
                self.nest(node, entry, 1, 1, true);
                self.note_switch(node);
            }
            Role::Case => self.case(node, entry),
            Role::Ternary => {
                self.frames[self.frame].cyclomatic += 1;
                self.nest(node, entry, 1, 0, true);
                self.note_ternary(node);
            }
            Role::ComprehensionIf => self.frames[self.frame].cyclomatic += 1,
            Role::Logical => self.logical(node, entry),
            Role::Jump => self.jump(node, entry),
            Role::Transfer => self.transfer(node, entry),
            Role::With => self.top_statement(node, "with", Cow::Borrowed(""), None),
            Role::Markup => {
                let frame = self.frame;
                self.frames[frame].markup += 1;
                self.literal(node);
                self.new_leavers.push(Leaver::Markup(frame));
            }
            Role::ListLiteral | Role::MapLiteral | Role::SetLiteral | Role::TupleLiteral => self.literal(node),
            Role::Try => self.try_(node, entry),
            Role::Finally => {
                if let Some(open) = self.open_tries.last() {
                    self.try_frames[*open].has_finally = true;
                }
            }
            Role::Handler => {
                self.nest(node, entry, 1, 0, true);
                self.handle(node, entry);
            }
            Role::Catches => self.nest(node, entry, 1, 0, true),
            Role::Block => {
                if self.test_blocks.contains(&node.id()) {
                    self.function(node, entry);
                }
            }
            Role::Return => self.return_(node, entry),
            Role::Raise => self.raise(node),
            Role::Assert => {
                let function = self.index();
                let offset = node.start_byte();
                self.calls.push(Call { target: Cow::Borrowed("assert"), offset, function, awaited: false });
                self.note_in_handlers("raise", node);
            }
            Role::Changes => self.changes(node, entry),
            Role::Yields => self.note_in_handlers("return_value", node),
            Role::Await => {
                if let Some(value) = node.named_child(0) {
                    self.awaited.insert(value.id());
                }
            }
            Role::Call => self.call(node, entry),
            Role::Infix => self.infix(node, entry),
            Role::Import => {
                self.import(node);
                return Next::Skip;
            }
            Role::Export => return self.export(node),
            Role::Statement => {
                self.bare = Some((node.start_byte(), node.end_byte()));
                self.note_discard(node);
            }
            Role::String => return self.string(node),
            Role::Comment => {
                self.note_comment(node.start_byte(), node.end_byte(), false);
                return Next::Skip;
            }
            Role::Argument
            | Role::Arm
            | Role::Suffix
            | Role::Parameter
            | Role::Values
            | Role::Skip
            | Role::LastArm
            | Role::Nothing => {}
        }
        Next::Down
    }

    #[inline]
    pub fn p(&self) -> &'t Patterns {
        let table: &'t Table = self.table;
        &table.shared.patterns
    }

    /// The index of the function around the current node, as facts have it.
    #[inline]
    pub fn index(&self) -> i64 {
        self.frame as i64 - 1
    }

    #[inline]
    pub fn slice(&self, node: Node) -> &'t [u8] {
        self.cut(node.start_byte(), node.end_byte())
    }

    #[inline]
    pub fn cut(&self, start: usize, end: usize) -> &'t [u8] {
        chars::slice(self.source, start, end)
    }

    #[inline]
    pub fn text(&self, node: Node) -> Text<'t> {
        String::from_utf8_lossy(self.slice(node))
    }

    pub fn text_of(&self, node: Option<Node>) -> Text<'t> {
        node.map_or(Cow::Borrowed(""), |node| self.text(node))
    }

    #[inline]
    pub fn role(&self, node: Node) -> Role {
        self.table.role(node)
    }

    pub fn children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        let mut children = Vec::new();
        if cursor.goto_first_child() {
            loop {
                children.push(cursor.node());
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        children
    }

    pub fn named_children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut children = self.children(node);
        children.retain(Node::is_named);
        children
    }

    /// A value; for a list of one value, that value.
    pub fn only_value(&self, node: Option<Node<'t>>) -> Option<Node<'t>> {
        match node {
            Some(node) if self.role(node) == Role::Values && node.named_child_count() == 1 => node.named_child(0),
            _ => node,
        }
    }

    pub fn last_child(&self, node: Node<'t>) -> Option<Node<'t>> {
        let count = node.named_child_count();
        if count > 0 {
            node.named_child(count as u32 - 1)
        } else {
            None
        }
    }

    pub fn first_argument(&self, arguments: Node<'t>) -> Option<Node<'t>> {
        let first = arguments.named_child(0)?;
        if self.role(first) == Role::Argument {
            first.named_child(0)
        } else {
            Some(first)
        }
    }

    pub fn hold_decorator(&mut self, decorator: Text<'t>, start: usize, end: usize) {
        let mut taken = self.take_decorators(start);
        taken.push(decorator);
        self.decorators = taken;
        self.decorators_end = end;
    }

    /// Decorators right above what begins at `start`; none if a statement ends in between.
    pub fn take_decorators(&mut self, start: usize) -> Vec<Text<'t>> {
        let taken = std::mem::take(&mut self.decorators);
        if taken.is_empty() {
            return taken;
        }
        let between = self.cut(self.decorators_end, start);
        let without = self.p().comment.replace(between, |_, _| {});
        if self.p().ends.contains(without.as_deref().unwrap_or(between)) {
            return Vec::new();
        }
        taken
    }

    /// Where the code of a node ends, without trailing white space that indented blocks may include.
    pub fn end_of(&self, node: Node<'t>) -> usize {
        let mut node = node;
        let mut end = node.end_byte();
        while end > 0 && is_white(self.source[end - 1]) {
            let inside = self.named_children(node).into_iter().rfind(|child| self.role(*child) != Role::Comment);
            match inside {
                None => return end,
                Some(last) => node = last,
            }
            end = node.end_byte();
        }
        end
    }

    pub fn marks_tests(&self, decorators: &[Text<'t>]) -> bool {
        match &self.table.test_scopes {
            Some(tests) => decorators.iter().any(|decorator| tests.pattern.is_match(decorator.as_bytes())),
            None => false,
        }
    }

    pub fn at_module_level(&self) -> bool {
        matches!(self.scopes.last(), Some(Scope::Function(0)))
    }

    /// Notes what a node does for the handlers around it in the same function.
    pub fn note_in_handlers(&mut self, word: &'static str, node: Node) {
        if self.open_handlers.is_empty() {
            return;
        }
        let at = node.start_byte();
        for open in &self.open_handlers {
            let handler = &mut self.handler_frames[*open];
            if handler.function == self.frame && handler.body <= at && at < handler.end {
                handler.does.insert(word);
            }
        }
    }

    /// The innermost call that has this span among its arguments.
    pub fn call_around(&self, start: usize, end: usize) -> Option<&OpenCall<'t>> {
        let call = self.open_calls.iter().rev().find(|call| call.end >= end)?;
        (call.arguments_start <= start).then_some(call)
    }

    /// Notes a module-level statement, unless it lies inside another.
    pub fn top_statement(&mut self, node: Node<'t>, kind: &'static str, name: Text<'t>, value: Option<Node<'t>>) {
        if !self.at_module_level() || node.start_byte() < self.statement_end || self.frames[0].lambdas != 0 {
            return;
        }
        self.statement_end = node.end_byte();
        let shape = match value {
            None => "",
            Some(value) => match self.role(value) {
                Role::Skip if self.slice(value).first().is_some_and(u8::is_ascii_digit) => "number",
                Role::Nothing | Role::Skip | Role::Binding | Role::Values => "other",
                role => role.text().strip_prefix("literal.").unwrap_or(role.text()),
            },
        };
        let (line, end) = (self.lines.line(node.start_byte()), self.lines.last_line(node.end_byte()));
        self.statements.push(Statement { line, end, kind, name, value: shape });
    }

    pub fn qualname_of<'a>(&'a self, scope: &'a Scope) -> &'a str {
        match scope {
            Scope::Function(frame) => &self.frames[*frame].qualname,
            Scope::Class(class) => &self.classes[*class].qualname,
            Scope::Namespace(qualname) => qualname,
        }
    }

    /// What the qualified names inside a scope begin with: a function passed to no call is left out.
    pub fn prefix_of<'a>(&'a self, scope: &'a Scope) -> &'a str {
        if let Scope::Function(frame) = scope {
            let frame = &self.frames[*frame];
            if !frame.title.is_empty() && frame.passed_to.is_empty() {
                return &frame.holder;
            }
        }
        self.qualname_of(scope)
    }

    pub fn scope(&self) -> &Scope {
        self.scopes.last().expect("the module is always there")
    }
}

/// A name within a scope; the name alone where the names around it are longer than those of any program.
pub fn qualified(outer: &str, name: &str) -> String {
    if outer.is_empty() || chars::length(outer) >= MAX_DOTTED_CHARS {
        name.to_owned()
    } else {
        format!("{outer}.{name}")
    }
}
