//! A language as Python describes it: its grammar, what each kind of node means, and the flags, words and patterns of its syntax.

use crate::hooks::{self, Hooks};
use crate::outline::is_control;
use crate::sre::Pattern;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tree_sitter::{Language, Node};

macro_rules! names {
    ($type:ident, $all:ident: $($variant:ident = $text:literal),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $type { $($variant),* }
        pub const $all: &[($type, &str)] = &[$(($type::$variant, $text)),*];
        impl $type {
            pub fn named(text: &str) -> PyResult<Self> {
                $all.iter().find(|(_, name)| *name == text).map(|(value, _)| *value)
                    .ok_or_else(|| PyValueError::new_err(format!("{text} is not known here")))
            }
            #[allow(dead_code)] // not every kind of name is written anywhere
            pub fn text(self) -> &'static str {
                $all.iter().find(|(value, _)| *value == self).map_or("", |(_, name)| *name)
            }
        }
    };
}

names! { Role, ROLES:
    Function = "function", Lambda = "lambda", Class = "class", Bases = "bases", Type = "type", Implementation = "implementation",
    AnonymousType = "anonymous_type", Namespace = "namespace", Package = "package", Decorator = "decorator", Binding = "binding",
    Member = "member", Field = "field", Attribute = "attribute", Name = "name", Reference = "reference",
    TypeParameter = "type_parameter", Tokens = "tokens", Directive = "directive", Argument = "argument", Suffix = "suffix",
    Parameter = "parameter", Parameters = "parameters", Values = "values", If = "if", ElseIf = "elseif", Else = "else",
    Loop = "loop", Switch = "switch", Case = "case", Arm = "arm", Ternary = "ternary", ComprehensionIf = "comprehension_if",
    Logical = "logical", Jump = "jump", Transfer = "transfer", With = "with", Markup = "markup", ListLiteral = "literal.list",
    MapLiteral = "literal.map", SetLiteral = "literal.set", TupleLiteral = "literal.tuple", Try = "try", Finally = "finally",
    Handler = "handler", Catches = "catches", Block = "block", Return = "return", Raise = "raise", Assert = "assert",
    Changes = "changes", Yields = "yields", Await = "await", Call = "call", Infix = "infix", Import = "import",
    Export = "export", Statement = "statement", String = "string", Comment = "comment", Skip = "skip",
    LastArm = "last arm", Nothing = "",
}

names! { PartName, PART_NAMES:
    Adds = "adds", Arguments = "arguments", Async = "async", Base = "base", Bases = "bases", Block = "block", Body = "body",
    Condition = "condition", Decorator = "decorator", Default = "default", Defined = "defined", Else = "else", Fails = "fails",
    Guarded = "guarded", Key = "key", Keyword = "keyword", Label = "label", Left = "left", Member = "member", Name = "name",
    Operator = "operator", Parameter = "parameter", Parameters = "parameters", Receiver = "receiver", Result = "result",
    Right = "right", Star = "star", Suffix = "suffix", Then = "then", Type = "type", Value = "value",
}
const PARTS: usize = PART_NAMES.len();

names! { EdgeKind, EDGE_KINDS:
    Runtime = "runtime", Linked = "linked", Deferred = "deferred", TypeOnly = "type_only", Reexport = "reexport", Dynamic = "dynamic",
}

/// Which child of a node is meant: the one of a field, or the first of some kinds.
#[derive(Clone)]
pub enum Selector {
    Field(u16),
    Kinds(Vec<u16>),
}

impl Selector {
    fn from(value: &Bound<PyAny>) -> PyResult<Self> {
        match value.extract::<u16>() {
            Ok(field) => Ok(Selector::Field(field)),
            Err(_) => Ok(Selector::Kinds(value.extract()?)),
        }
    }

    pub fn child<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match self {
            Selector::Field(field) => node.child_by_field_id(*field),
            Selector::Kinds(kinds) => {
                let mut cursor = node.walk();
                if !cursor.goto_first_child() {
                    return None;
                }
                loop {
                    let child = cursor.node();
                    if kinds.contains(&child.kind_id()) {
                        return Some(child);
                    }
                    if !cursor.goto_next_sibling() {
                        return None;
                    }
                }
            }
        }
    }
}

/// What a kind of node means.
pub struct Entry {
    pub role: Role,
    parts: [Option<Selector>; PARTS],
    pub part_count: usize,
    pub guards: Vec<(Selector, Option<Vec<String>>)>,
}

impl Entry {
    pub fn bare(role: Role) -> Self {
        Entry { role, parts: [const { None }; PARTS], part_count: 0, guards: Vec::new() }
    }

    #[inline]
    pub fn has(&self, name: PartName) -> bool {
        self.parts[name as usize].is_some()
    }

    pub fn selector(&self, name: PartName) -> Option<&Selector> {
        self.parts[name as usize].as_ref()
    }

    #[inline]
    pub fn part<'t>(&self, node: Node<'t>, name: PartName) -> Option<Node<'t>> {
        match &self.parts[name as usize] {
            None => None,
            Some(selector) => selector.child(node),
        }
    }

    /// All children that go by a name: `var a, b = 1, 2` has two.
    pub fn parts<'t>(&self, node: Node<'t>, name: PartName) -> Vec<Node<'t>> {
        match &self.parts[name as usize] {
            Some(Selector::Field(field)) => {
                children_of_field(node, *field).into_iter().filter(|child| child.is_named()).collect()
            }
            Some(selector) => selector.child(node).into_iter().collect(),
            None => Vec::new(),
        }
    }

    pub fn guards_hold(&self, node: Node) -> bool {
        self.guards.iter().all(|(selector, tokens)| match selector.child(node) {
            None => false,
            Some(child) => tokens.as_ref().is_none_or(|tokens| tokens.iter().any(|token| token == child.kind())),
        })
    }
}

pub fn children_of_field<'t>(node: Node<'t>, field: u16) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let mut children = Vec::new();
    if !cursor.goto_first_child() {
        return children;
    }
    loop {
        if cursor.field_id().is_some_and(|id| id.get() == field) {
            children.push(cursor.node());
        }
        if !cursor.goto_next_sibling() {
            return children;
        }
    }
}

/// What the walk does at a kind of node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Action {
    Pass, // neither this kind nor its children matter
    Inside,
    Role,
    FlatCall,
    FlatLiteral,
    FlatAttribute,
    Error,
}

macro_rules! patterns {
    ($($field:ident = $path:literal),* $(,)?) => {
        /// The patterns of the Python reader that this one uses too.
        pub struct Patterns { $(pub $field: Pattern),* }
        pub const PATTERN_PATHS: &[&str] = &[$($path),*];
        impl Patterns {
            pub fn from(source: &Bound<PyAny>) -> PyResult<Self> {
                Ok(Patterns { $($field: pattern_of(&source.get_item($path)?)?.pattern),* })
            }
        }
    };
}

patterns! {
    groups = "engine.words:_GROUPS",
    keyword = "engine.words:_KEYWORD",
    generics = "engine.words:_GENERICS",
    segment = "engine.words:_SEGMENT",
    bound = "engine.words:_NAMES",
    declared = "engine.words:_DECLARED",
    default = "engine.words:_DEFAULT",
    quoted = "engine.words:_QUOTED",
    interesting = "engine.words:INTERESTING",
    comment = "engine.walk.state:_COMMENT",
    ends = "engine.walk.state:_ENDS",
    own_name = "engine.walk.definitions:_NAME",
    wrapper = "engine.walk.definitions:_WRAPPER",
    typed = "engine.walk.definitions:_TYPED",
    type_arguments = "engine.walk.definitions:_TYPE_ARGUMENTS",
    named_argument = "engine.walk.definitions:_ARGUMENT",
    assigned = "engine.walk.handlers:_ASSIGNED",
    writes = "engine.walk.handlers:_WRITES",
    zero = "engine.walk.handlers:_ZERO",
    first_word = "engine.walk.nesting:_WORD",
    boolean_type = "engine.walk.params:_BOOLEAN_TYPE",
    alone = "engine.walk.references:_ALONE",
    in_package = "engine.walk.references:_IN_PACKAGE",
    qualified = "engine.walk.references:_QUALIFIED",
    condition_word = "engine.walk.repeats:_WORD",
    body_word = "engine.walk.repeats:_BODY_WORD",
    token = "engine.walk.repeats:_TOKEN",
    binds = "engine.walk.repeats:_BINDS",
    value_first = "engine.walk.repeats:_VALUE_FIRST",
    arrow = "engine.walk.repeats:_ARROW",
    guard = "engine.walk.repeats:_GUARD",
    repeat_name = "engine.walk.repeats:_NAME",
    attribute = "engine.walk.repeats:_ATTRIBUTE",
    changes = "engine.walk.repeats:_CHANGES",
    changed = "engine.walk.repeats:_ASSIGNED",
    identifier = "engine.walk.repeats:_IDENTIFIER",
    runs_on = "engine.walk.repeats:_RUNS_ON",
    jump = "engine.walk.repeats:_JUMP",
    otherwise = "engine.walk.repeats:_OTHERWISE",
    attribute_or_entry = "engine.walk.writes:_ATTRIBUTE_OR_ENTRY",
    reads_all = "engine.walk.overwrites:_READS_ALL",
    shared = "engine.walk.overwrites:_SHARED",
    type_name = "engine.walk.types:_TYPE_NAME",
    delegated = "engine.walk.types:_DELEGATED",
    with = "engine.walk.types:_WITH",
    access = "engine.walk.types:_ACCESS",
    base_arguments = "engine.walk.types:_ARGUMENTS",
    separator = "engine.walk.types:_SEPARATOR",
    subject = "engine.walk.tangle:_WORD",
    body_begins = "engine.walk.tangle:_BODY_BEGINS",
    leaves = "engine.walk.tangle:_LEAVES",
    string = "engine.shapes:_STRING",
    decimal = "engine.shapes:_DECIMAL",
    number = "engine.shapes:_NUMBER",
    unseen = "engine.hidden:_UNSEEN",
}

/// A pattern with the numbers of its named groups.
pub struct NamedPattern {
    pub pattern: Pattern,
    pub groups: HashMap<String, usize>,
}

fn pattern_of(value: &Bound<PyAny>) -> PyResult<NamedPattern> {
    let (code, groups, bytes, within, names): (Vec<u32>, usize, bool, Option<usize>, HashMap<String, usize>) =
        value.extract()?;
    let pattern = Pattern::new(&code, groups, bytes, within.unwrap_or(usize::MAX));
    Ok(NamedPattern { pattern, groups: names })
}

/// What all languages share.
pub struct Shared {
    pub patterns: Patterns,
    pub empty_values: HashSet<String>,
    pub longest_empty: usize,
}

impl Shared {
    pub fn from(source: &Bound<PyAny>) -> PyResult<Self> {
        let empty_values: HashSet<String> = source.get_item("empty_values")?.extract()?;
        let longest_empty = empty_values.iter().map(String::len).max().unwrap_or(0);
        Ok(Shared { patterns: Patterns::from(&source.get_item("patterns")?)?, empty_values, longest_empty })
    }
}

pub struct FlatPatterns {
    pub list: Pattern,
    pub call: Pattern,
    pub dotted: Pattern,
    pub own: Pattern,
    pub callee: Pattern,
}

/// A language, ready to read files.
pub struct Table {
    pub language: Language,
    pub shared: Arc<Shared>,
    entries: Vec<Entry>,
    by_kind: Vec<u16>,
    actions: Vec<Action>,
    pub has_control_tokens: bool,
    pub call_fields: Vec<u16>, // by kind: the field of a flat call's arguments
    pub has_anonymous: bool,
    pub says_keyword: bool,
    pub has_references: bool,
    pub hooks: Hooks,
    pub hook_patterns: HashMap<String, NamedPattern>,
    pub flat: Option<FlatPatterns>,
    pub repair: Option<Py<PyAny>>,
    pub operators_nest_right: bool,
    pub brackets_hold_types: bool,
    pub import_kind: EdgeKind,
    pub import_calls: HashMap<String, EdgeKind>,
    pub import_conditions: HashMap<Vec<u8>, EdgeKind>,
    pub file_decorator: Option<NamedPattern>,
    pub export_list: String,
    pub export_prefixes: Vec<String>,
    pub exports_all_public: bool,
    pub handler_calls: HashSet<String>,
    pub raising_calls: HashSet<String>,
    pub test_names: Option<NamedPattern>,
    pub test_calls: Option<NamedPattern>,
    pub test_decorators: Option<NamedPattern>,
    pub test_macros: Option<NamedPattern>,
    pub test_scopes: Option<NamedPattern>,
    pub compiler_conditions: Option<NamedPattern>,
    pub test_conditions: HashSet<Vec<u8>>,
    pub self_prefix: Vec<u8>,
    pub implicit_self: bool,
    pub environment: Vec<u8>,
    pub free_names: bool,
    pub bare_calls: bool,
    pub declared_name: Option<NamedPattern>,
    pub reopens: bool,
    pub packages_chain: bool,
    pub namespaces_are_packages: bool,
    pub async_words: Vec<Vec<u8>>,
    pub receiver: Option<NamedPattern>,
    pub blocks_are_values: bool,
    pub results_are_returned: bool,
    pub wrappers_are_flat: bool,
    pub decorators_inside: bool,
    pub whole_decorators: bool,
    pub callback: String,
    pub anonymous: String,
    pub labels: HashSet<String>,
}

impl Table {
    pub fn from(language: Language, shared: Arc<Shared>, source: &Bound<PyDict>) -> PyResult<Self> {
        let get = |name: &str| -> PyResult<Bound<PyAny>> {
            source.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("no {name}")))
        };
        let flag = |name: &str| -> PyResult<bool> { get(name)?.extract() };
        let optional = |name: &str| -> PyResult<Option<NamedPattern>> {
            let value = get(name)?;
            if value.is_none() {
                return Ok(None);
            }
            pattern_of(&value).map(Some)
        };
        let kinds = |name: &str| -> PyResult<HashMap<String, EdgeKind>> {
            let texts: HashMap<String, String> = get(name)?.extract()?;
            texts.into_iter().map(|(key, kind)| Ok((key, EdgeKind::named(&kind)?))).collect()
        };
        let count = language.node_kind_count();
        let mut actions: Vec<Action> = (0..=u16::MAX)
            .map(|kind| {
                let token = (kind as usize) < count && !language.node_kind_is_named(kind);
                if token { Action::Pass } else { Action::Inside }
            })
            .collect();
        let mut by_kind = vec![u16::MAX; 1 << 16];
        let mut call_fields = vec![0; 1 << 16];
        let flat = if get("flat")?.is_none() {
            None
        } else {
            let value = get("flat")?;
            let one = |name: &str| -> PyResult<Pattern> { Ok(pattern_of(&value.get_item(name)?)?.pattern) };
            Some(FlatPatterns {
                list: one("list")?,
                call: one("call")?,
                dotted: one("dotted")?,
                own: one("own")?,
                callee: one("callee")?,
            })
        };
        let mut entries = Vec::new();
        for row in get("entries")?.try_iter()? {
            let row = row?;
            let kind: u16 = row.get_item(0)?.extract()?;
            let role = Role::named(&row.get_item(1)?.extract::<String>()?)?;
            let mut entry = Entry::bare(role);
            for (name, selector) in row.get_item(2)?.cast_into::<PyDict>()?.iter() {
                let name = PartName::named(&name.extract::<String>()?)?;
                entry.parts[name as usize] = Some(Selector::from(&selector)?);
                entry.part_count += 1;
            }
            for guard in row.get_item(3)?.try_iter()? {
                let guard = guard?;
                entry.guards.push((Selector::from(&guard.get_item(0)?)?, guard.get_item(1)?.extract()?));
            }
            actions[kind as usize] = match role {
                Role::Argument | Role::Arm | Role::Suffix | Role::Parameter | Role::Values => actions[kind as usize],
                Role::Skip => Action::Pass,
                _ => Action::Role,
            };
            if flat.is_some() {
                match role {
                    Role::Call if entry.part_count == 1 => {
                        if let Some(Selector::Field(field)) = entry.selector(PartName::Arguments) {
                            actions[kind as usize] = Action::FlatCall;
                            call_fields[kind as usize] = *field;
                        }
                    }
                    Role::ListLiteral | Role::MapLiteral | Role::SetLiteral | Role::TupleLiteral => {
                        actions[kind as usize] = Action::FlatLiteral;
                    }
                    Role::Attribute => actions[kind as usize] = Action::FlatAttribute,
                    _ => {}
                }
            }
            by_kind[kind as usize] = entries.len() as u16;
            entries.push(entry);
        }
        actions[u16::MAX as usize] = Action::Error;
        let has_control_tokens = (0..count as u16)
            .filter(|kind| !language.node_kind_is_named(*kind))
            .filter_map(|kind| entries.get(by_kind[kind as usize] as usize))
            .any(is_control);
        let has_anonymous = entries.iter().any(|entry| entry.role == Role::Function && !entry.has(PartName::Name));
        let says_keyword = entries.iter().any(|entry| entry.role == Role::Parameter && entry.has(PartName::Keyword));
        let has_references = entries.iter().any(|entry| matches!(entry.role, Role::Name | Role::Reference));
        let mut hook_patterns = HashMap::new();
        for (path, value) in get("hook_patterns")?.cast_into::<PyDict>()?.iter() {
            hook_patterns.insert(path.extract::<String>()?, pattern_of(&value)?);
        }
        let conditions: HashMap<Vec<u8>, String> = get("import_conditions")?.extract()?;
        Ok(Table {
            language,
            shared,
            entries,
            by_kind,
            actions,
            has_control_tokens,
            call_fields,
            has_anonymous,
            says_keyword,
            has_references,
            hooks: hooks::from(&get("hooks")?.extract::<HashMap<String, String>>()?)?,
            hook_patterns,
            flat,
            repair: get("repair")?.extract()?,
            operators_nest_right: flag("operators_nest_right")?,
            brackets_hold_types: flag("brackets_hold_types")?,
            import_kind: EdgeKind::named(&get("import_kind")?.extract::<String>()?)?,
            import_calls: kinds("import_calls")?,
            import_conditions: conditions
                .into_iter()
                .map(|(text, kind)| Ok((text, EdgeKind::named(&kind)?)))
                .collect::<PyResult<_>>()?,
            file_decorator: optional("file_decorator")?,
            export_list: get("export_list")?.extract()?,
            export_prefixes: get("export_prefixes")?.extract()?,
            exports_all_public: flag("exports_all_public")?,
            handler_calls: get("handler_calls")?.extract()?,
            raising_calls: get("raising_calls")?.extract()?,
            test_names: optional("test_names")?,
            test_calls: optional("test_calls")?,
            test_decorators: optional("test_decorators")?,
            test_macros: optional("test_macros")?,
            test_scopes: optional("test_scopes")?,
            compiler_conditions: optional("compiler_conditions")?,
            test_conditions: get("test_conditions")?.extract()?,
            self_prefix: get("self_prefix")?.extract()?,
            implicit_self: flag("implicit_self")?,
            environment: get("environment")?.extract()?,
            free_names: flag("free_names")?,
            bare_calls: flag("bare_calls")?,
            declared_name: optional("declared_name")?,
            reopens: flag("reopens")?,
            packages_chain: flag("packages_chain")?,
            namespaces_are_packages: flag("namespaces_are_packages")?,
            async_words: get("async_words")?.extract()?,
            receiver: optional("receiver")?,
            blocks_are_values: flag("blocks_are_values")?,
            results_are_returned: flag("results_are_returned")?,
            wrappers_are_flat: flag("wrappers_are_flat")?,
            decorators_inside: flag("decorators_inside")?,
            whole_decorators: flag("whole_decorators")?,
            callback: get("callback")?.extract()?,
            anonymous: get("anonymous")?.extract()?,
            labels: get("labels")?.extract()?,
        })
    }

    #[inline]
    pub fn action(&self, kind: u16) -> Action {
        self.actions[kind as usize]
    }

    #[inline]
    pub fn entry(&self, kind: u16) -> Option<&Entry> {
        self.entries.get(self.by_kind[kind as usize] as usize)
    }

    #[inline]
    pub fn role(&self, node: Node) -> Role {
        self.entry(node.kind_id()).map_or(Role::Nothing, |entry| entry.role)
    }

    pub fn role_of(&self, node: Option<Node>) -> Role {
        node.map_or(Role::Nothing, |node| self.role(node))
    }
}
