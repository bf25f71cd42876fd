//! What the walk gathers inside a function, class, try or handler; and how complexity adds up.

use crate::table::EdgeKind;
use std::borrow::Cow;
use foldhash::HashSet;
use std::collections::BTreeSet;
use tree_sitter::Node;

pub type Text<'t> = Cow<'t, str>;

#[derive(Clone)]
pub struct Param<'t> {
    pub name: Text<'t>,
    pub has_default: bool,
    pub boolean: bool,
    pub keyword_only: bool,
    pub star: &'static str,
}

pub struct Branch {
    pub line: usize,
    pub keyword: String,
    pub cost: i64,
    pub is_function: bool,
}

pub struct Tangle {
    pub published: i64,
    pub cost: i64,
    pub nesting: i64,
    pub lines: i64,
    pub code_lines: i64,
    pub discounts: Vec<(&'static str, i64, i64)>,
    pub arms: Vec<Branch>,
    pub share_of_outer: i64,
}

/// A function being read. The module itself is the first frame of the walk, with index -1.
#[derive(Default)]
pub struct FunctionFrame<'t> {
    pub index: i64,
    pub name: Text<'t>,
    pub qualname: String,
    pub start: usize,
    pub end: usize,
    pub parent: i64,
    pub class_index: i64,
    pub params: Vec<Param<'t>>,
    pub passed_to: Text<'t>,
    pub noun: String,
    pub title: String,
    pub holder: String,
    pub is_async: bool,
    pub is_test: bool,
    pub in_test: bool,
    pub anonymous: bool,
    pub recursive: bool,
    pub raises: bool,
    pub returns_value: bool,
    pub result: Text<'t>,
    pub self_prefix: Vec<u8>,
    pub node: Option<Node<'t>>,
    pub body: Option<Node<'t>>,
    pub flat: bool,
    pub statement_like: bool,
    pub nest: i64,
    pub control: i64,
    pub markup: i64,
    pub lambdas: i64,
    pub head: usize,
    pub cognitive: i64,
    pub own: i64,
    pub structural: i64,
    pub cyclomatic: i64,
    pub cases: i64,
    pub nesting: i64,
    pub tangle: Option<Tangle>,
    pub decorators: Vec<Text<'t>>,
    pub attributes: BTreeSet<Text<'t>>,
    pub writes: BTreeSet<Text<'t>>,
    pub returns: BTreeSet<Text<'t>>,
    pub words: HashSet<&'t [u8]>,
    pub literals: Vec<(usize, usize)>,
    pub nested: Vec<(i64, i64)>,
}

impl<'t> FunctionFrame<'t> {
    pub fn new(index: i64, name: Text<'t>, start: usize, end: usize) -> Self {
        FunctionFrame {
            index,
            name,
            start,
            end,
            parent: -1,
            class_index: -1,
            statement_like: true,
            cyclomatic: 1,
            ..FunctionFrame::default()
        }
    }

    pub fn add_nested_cost(&mut self) {
        self.cognitive += 1 + self.nest;
        self.structural += 1;
        if self.markup == 0 {
            self.own += 1 + self.nest;
        }
    }

    pub fn add_flat_cost(&mut self) {
        self.cognitive += 1;
        if self.markup == 0 {
            self.own += 1;
        }
    }

    pub fn enter(&mut self, control: i64) {
        self.control += control;
        self.nesting = self.nesting.max(self.control);
    }

    pub fn absorb(&mut self, cognitive: i64, structural: i64) {
        let deeper = self.nest + i64::from(!self.flat);
        self.cognitive += cognitive + structural * deeper;
        self.structural += structural;
    }
}

/// A class being read.
pub struct ClassFrame<'t> {
    pub name: Text<'t>,
    pub qualname: String,
    pub start: usize,
    pub end: usize,
    pub head: usize,
    pub bases: Vec<Text<'t>>,
    pub decorators: Vec<Text<'t>>,
    pub methods: Vec<i64>,
    pub fields: HashSet<Cow<'t, [u8]>>,
    pub spans: Vec<(usize, usize)>,
}

#[derive(Clone, PartialEq)]
pub enum Scope {
    Function(usize), // the frame's place, 0 for the module
    Class(usize),
    Namespace(String),
}

/// A catching clause being read.
pub struct HandlerFrame<'t> {
    pub start: usize,
    pub end: usize,
    pub function: usize,
    pub guarded: (usize, usize),
    pub body: usize,
    pub caught: Vec<Text<'t>>,
    pub error_name: Text<'t>,
    pub does: BTreeSet<&'static str>,
}

pub struct TryFrame {
    pub body: (usize, usize),
    pub first_import: usize,
    pub handlers: Vec<usize>,
    pub has_finally: bool,
    pub has_else: bool,
}

pub struct Import<'t> {
    pub target: Text<'t>,
    pub line: usize,
    pub kind: EdgeKind,
    pub names: Vec<(Text<'t>, Text<'t>)>,
    pub alias: Text<'t>,
    pub function: i64,
    pub guarded: bool,
}

#[derive(Clone, Default)]
pub struct ImportDraft<'t> {
    pub target: Text<'t>,
    pub names: Vec<(Text<'t>, Text<'t>)>,
    pub alias: Text<'t>,
    pub type_only: bool,
    pub reexport: bool,
    pub kind: Option<EdgeKind>,
}

/// What a catching clause catches, as the language's hook reads it.
#[derive(Default)]
pub struct HandlerHead<'t> {
    pub caught: Vec<Text<'t>>,
    pub error_name: Text<'t>,
    pub guarded: Option<(usize, usize)>,
    pub body: Option<Node<'t>>,
    pub body_is_value: bool,
    pub outlives: bool,
}

#[derive(Default)]
pub struct MacroContents<'t> {
    pub imports: Vec<(usize, ImportDraft<'t>)>,
    pub definitions: Vec<String>,
    pub calls: Vec<(usize, Text<'t>)>,
    pub names: Vec<(usize, Cow<'t, [u8]>)>,
}

pub struct Export<'t> {
    pub name: Text<'t>,
    pub line: usize,
    pub local: Text<'t>,
}

pub struct Call<'t> {
    pub target: Text<'t>,
    pub offset: usize,
    pub function: i64,
    pub awaited: bool,
}

pub struct Handler<'t> {
    pub start: usize,
    pub end: usize,
    pub body_start: usize,
    pub body_end: usize,
    pub function: i64,
    pub caught: Vec<Text<'t>>,
    pub error_name: Text<'t>,
    pub does: Vec<&'static str>,
    pub has_finally: bool,
    pub has_else: bool,
}

pub struct Comment<'t> {
    pub line: usize,
    pub end: usize,
    pub text: Text<'t>,
    pub own_line: bool,
    pub doc: bool,
}

pub struct TextFact<'t> {
    pub value: Text<'t>,
    pub line: usize,
    pub function: i64,
    pub call: Text<'t>,
}

pub struct Statement<'t> {
    pub line: usize,
    pub end: usize,
    pub kind: &'static str,
    pub name: Text<'t>,
    pub value: &'static str,
}

pub struct Repeat {
    pub kind: &'static str,
    pub line: usize,
    pub end: usize,
    pub first: usize,
    pub function: i64,
    pub text: String,
    pub tokens: usize,
    pub alike: usize,
    pub arms: usize,
}

pub struct Overwrite<'t> {
    pub name: Text<'t>,
    pub line: usize,
    pub function: i64,
}

#[derive(Clone)]
pub struct OpenCall<'t> {
    pub end: usize,
    pub arguments_start: usize,
    pub target: Text<'t>,
    pub arguments: Option<Node<'t>>,
    pub block: Option<usize>,
}
