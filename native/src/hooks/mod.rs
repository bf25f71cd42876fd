//! What a table cannot say: how a language writes its imports and handlers. Each hook is the twin of a Python function, and goes
//! by that function's name; the table names those that a language uses.

mod c;
mod csharp;
mod go;
mod javascript;
mod jvm;
mod php;
mod python;
mod ruby;
mod rust;
mod swift;

use crate::frames::{HandlerHead, ImportDraft, MacroContents, Text};
use crate::walk::Walk;
use pyo3::exceptions::PyValueError;
use pyo3::PyResult;
use std::collections::HashMap;
use tree_sitter::Node;

pub type Statements = for<'t> fn(&Walk<'t>, Node<'t>) -> Vec<ImportDraft<'t>>;
pub type Exports = for<'t> fn(&Walk<'t>, Node<'t>) -> Vec<(Text<'t>, Text<'t>)>;
pub type CallDraft = for<'t> fn(&Walk<'t>, &str, Node<'t>) -> Option<ImportDraft<'t>>;
pub type Refine = for<'t> fn(&mut Walk<'t>, Node<'t>);
pub type Relative = fn(&str, &str) -> String;
pub type Handler = for<'t> fn(&Walk<'t>, Node<'t>) -> HandlerHead<'t>;
pub type Branch = for<'t> fn(&Walk<'t>, Node<'t>) -> Option<HandlerHead<'t>>;
pub type Declarator = for<'t> fn(&Walk<'t>, Node<'t>) -> (Option<Node<'t>>, Option<Node<'t>>);
pub type Tokens = for<'t> fn(&Walk<'t>, &'t [u8]) -> MacroContents<'t>;

#[derive(Default)]
pub struct Hooks {
    pub statements: Option<Statements>,
    pub exports: Option<Exports>,
    pub call_draft: Option<CallDraft>,
    pub refine: Option<Refine>,
    pub relative: Option<Relative>,
    pub handler: Option<Handler>,
    pub branch: Option<Branch>,
    pub discards: Option<Branch>,
    pub declarator: Option<Declarator>,
    pub tokens: Option<Tokens>,
}

#[derive(Clone, Copy)]
enum Hook {
    Statements(Statements),
    Exports(Exports),
    CallDraft(CallDraft),
    Refine(Refine),
    Relative(Relative),
    Handler(Handler),
    Branch(Branch),
    Declarator(Declarator),
    Tokens(Tokens),
}

/// The name of a Python function below `crimes.languages`, its twin, and the patterns beside it that the twin uses too.
type Row = (&'static str, Hook, &'static [&'static str]);

const HOOKS: &[Row] = &[
    ("python._imports", Hook::Statements(python::imports), &[]),
    ("python._handler", Hook::Handler(python::handler), &[]),
    ("javascript.imports", Hook::Statements(javascript::imports), &["javascript:_TYPE_KEYWORD"]),
    ("javascript.exports", Hook::Exports(javascript::exports), &[]),
    ("javascript.handler", Hook::Handler(javascript::handler), &[]),
    (
        "typescript.erased.erase",
        Hook::Refine(javascript::erase),
        &["typescript.erased:_DECORATOR", "typescript.erased:_COMMENT"],
    ),
    ("go._imports", Hook::Statements(go::imports), &[]),
    (
        "go.errors.error_branch",
        Hook::Branch(go::error_branch),
        &[
            "go.errors:_ERROR_PREDICATE",
            "go.errors:_EQUALS",
            "go.errors:_SUCCEEDED",
            "go.errors:_FAILED",
            "go.errors:_ASSIGNED",
        ],
    ),
    ("go.errors.discards", Hook::Branch(go::discards), &[]),
    ("java._imports", Hook::Statements(jvm::java_imports), &[]),
    ("java._handler", Hook::Handler(jvm::java_handler), &[]),
    ("kotlin._imports", Hook::Statements(jvm::kotlin_imports), &[]),
    ("kotlin._handler", Hook::Handler(jvm::kotlin_handler), &[]),
    (
        "scala._imports",
        Hook::Statements(jvm::scala_imports),
        &["scala:_NO_PATH", "scala:_CLAUSE", "scala:_RENAMING"],
    ),
    ("scala._handler", Hook::Handler(jvm::scala_handler), &[]),
    (
        "rust.use_trees.imports",
        Hook::Statements(rust::imports),
        &["rust.use_trees:_RAW", "rust.use_trees:_COMMENT", "rust.use_trees:_TOKEN"],
    ),
    ("rust.use_trees.path_at_file_level", Hook::Relative(rust::path_at_file_level), &[]),
    ("rust.errors.error_branch", Hook::Branch(rust::error_branch), &["rust.errors:_ERROR", "rust.errors:_NAME"]),
    ("rust.errors.discards", Hook::Branch(rust::discards), &[]),
    (
        "rust.tokens.read_tokens",
        Hook::Tokens(rust::read_tokens),
        &[
            "rust.tokens:_COMMENT",
            "rust.tokens:_STRING",
            "rust.tokens:_PATH",
            "rust.tokens:_CALL",
            "rust.tokens:_DECLARES",
            "rust.tokens:_ITEM",
            "rust.tokens:_PATH_ATTRIBUTE",
        ],
    ),
    ("c.syntax.imports", Hook::Statements(c::imports), &["c.syntax:_CONTINUATION"]),
    ("c.syntax.error_branch", Hook::Branch(c::error_branch), &["c.syntax:_FAILURE_CHECK"]),
    ("c.syntax.handler", Hook::Handler(c::handler), &[]),
    ("c.syntax.declarator", Hook::Declarator(c::declarator), &[]),
    ("csharp._imports", Hook::Statements(csharp::imports), &["csharp:_USING"]),
    ("csharp._handler", Hook::Handler(csharp::handler), &[]),
    ("php._imports", Hook::Statements(php::imports), &["php:_QUOTED", "php:_INCLUDE_WORDS"]),
    ("php._handler", Hook::Handler(php::handler), &[]),
    (
        "ruby.requires.import_call",
        Hook::CallDraft(ruby::import_call),
        &["ruby.requires:_STRING", "ruby.requires:_STRING_TAIL", "ruby.requires:_FILE_FOLDER"],
    ),
    ("ruby._handler", Hook::Handler(ruby::handler), &[]),
    ("swift._imports", Hook::Statements(swift::imports), &["swift:_IMPORT"]),
    (
        "swift.errors.handler",
        Hook::Handler(swift::handler),
        &[
            "swift.errors:_HEAD",
            "swift.errors:_ERROR_NAME",
            "swift.errors:_CAST",
            "swift.errors:_PATTERN",
            "swift.errors:_CONDITION",
        ],
    ),
    ("swift.errors.error_branch", Hook::Branch(swift::error_branch), &[]),
    ("swift.errors.discards", Hook::Branch(swift::discards), &["swift.errors:_DISCARDED"]),
];

/// The names of the hooks there are, each with the patterns it needs.
pub fn names() -> Vec<(&'static str, Vec<&'static str>)> {
    HOOKS.iter().map(|(name, _, patterns)| (*name, patterns.to_vec())).collect()
}

/// The hooks of a language, by what they do.
pub fn from(names: &HashMap<String, String>) -> PyResult<Hooks> {
    let mut hooks = Hooks::default();
    for (slot, name) in names {
        let found = HOOKS.iter().find(|(known, ..)| known == name).map(|(_, hook, _)| *hook);
        match (slot.as_str(), found) {
            ("imports.statements", Some(Hook::Statements(hook))) => hooks.statements = Some(hook),
            ("imports.exports", Some(Hook::Exports(hook))) => hooks.exports = Some(hook),
            ("imports.call_draft", Some(Hook::CallDraft(hook))) => hooks.call_draft = Some(hook),
            ("imports.refine", Some(Hook::Refine(hook))) => hooks.refine = Some(hook),
            ("imports.relative", Some(Hook::Relative(hook))) => hooks.relative = Some(hook),
            ("errors.handler", Some(Hook::Handler(hook))) => hooks.handler = Some(hook),
            ("errors.branch", Some(Hook::Branch(hook))) => hooks.branch = Some(hook),
            ("errors.discards", Some(Hook::Branch(hook))) => hooks.discards = Some(hook),
            ("functions.declarator", Some(Hook::Declarator(hook))) => hooks.declarator = Some(hook),
            ("tokens", Some(Hook::Tokens(hook))) => hooks.tokens = Some(hook),
            _ => return Err(PyValueError::new_err(format!("{slot} cannot be {name} here"))),
        }
    }
    Ok(hooks)
}
