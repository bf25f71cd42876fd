//! Functions, and the names things are bound to.

use crate::chars::{self, strip, strip_bytes};
use crate::frames::*;
use crate::handlers::MAX_RESULT_CHARS;
use crate::table::{Entry, PartName, Role};
use crate::walk::{qualified, Leaver, Next, Walk, MAX_NAME_CHARS};
use crate::words::{bound_names, cut_text, last_segment, literal_value, squeeze, strip_text, without};
use std::borrow::Cow;
use foldhash::HashSet;
use tree_sitter::Node;

const MAX_DECORATOR_ARGUMENTS: usize = 5;
const QUOTES: &[char] = &['"', '\'', '`'];
const QUOTES_AND_SPACE: &[char] = &['"', '\'', '`', ' '];

impl<'t> Walk<'t> {
    /// A function becomes a fact when it has a name or more than one line; a short callback only deepens nesting.
    pub fn function(&mut self, node: Node<'t>, entry: &'t Entry) {
        let table = self.table;
        let start_byte = node.start_byte();
        let mut name_node = entry.part(node, PartName::Name);
        let mut defines = name_node.is_some();
        if !defines {
            name_node = entry.part(node, PartName::Key); // a name that is not visible around it
        }
        let mut parameters = entry.part(node, PartName::Parameters);
        if let (Some(declarator), None) = (table.hooks.declarator, name_node) {
            (name_node, parameters) = declarator(self, node);
            defines = name_node.is_some();
        }
        let end_byte = self.end_of(node);
        let start = self.lines.line(start_byte);
        let end = if end_byte > 0 { self.lines.line(end_byte - 1) } else { 0 };
        let mut name: Text<'t> = match name_node {
            Some(name) => strip_text(self.text(name), QUOTES),
            None => Cow::Owned(self.names.remove(&node.id()).unwrap_or_default()),
        };
        if !defines && name_node.is_some() && self.field.0 >= node.end_byte() {
            name = Cow::Owned(format!("{}.{name}", self.field.1)); // the accessor of a property
        }
        if name.is_empty() && table.hooks.declarator.is_some() {
            name = Cow::Owned(self.macro_call(node));
        }
        let mut is_macro = false;
        if let Some(macros) = &table.test_macros {
            let head = name.split('(').next().unwrap_or("");
            is_macro = macros.pattern.is_full_match(head.as_bytes()) && (parameters.is_some() || name.contains('('));
        }
        if is_macro {
            if let Some(list) = parameters.take() {
                name = Cow::Owned(self.macro_test_name(&name, list));
            }
        }
        if matches!(name.as_ref(), "if" | "for" | "while" | "switch") {
            return; // a statement that a directive cuts in two: some grammars misread it as a function
        }
        if name.is_empty() && start == end {
            self.one_line_function(node, entry);
            return;
        }
        let body = entry.part(node, PartName::Body);
        if body.is_none() && entry.has(PartName::Body) && !defines && name_node.is_some() {
            return; // `private set` defines nothing
        }
        let at = self.frames.len();
        let mut frame = FunctionFrame::new(at as i64 - 1, name.clone(), start, end);
        frame.statement_like = name_node.is_some();
        if name.is_empty() {
            self.name_by_call(&mut frame, node);
        }
        let receiver = entry.part(node, PartName::Receiver);
        let outer = self.frame;
        let scope = if receiver.is_some() || name.contains("::") {
            self.scope_of(&mut frame, receiver)
        } else {
            self.scope().clone()
        };
        if frame.self_prefix.is_empty() {
            frame.self_prefix = self.frames[outer].self_prefix.clone();
        }
        frame.holder = match &scope {
            Scope::Function(around) if !self.frames[*around].title.is_empty() => self.frames[*around].holder.clone(),
            scope => self.qualname_of(scope).to_owned(),
        };
        frame.qualname = qualified(self.prefix_of(&scope), &frame.name);
        let single = if parameters.is_none() { entry.part(node, PartName::Parameter) } else { None };
        if body.is_none() && entry.has(PartName::Body) {
            frame.nested.push((start as i64, end as i64)); // a declaration is not logic
        }
        let result = entry.part(node, PartName::Result);
        self.note_result(&mut frame, node, entry, body, result, defines);
        if self.tracks_declared {
            self.note_declared(parameters);
            self.note_declared(result);
            self.note_declared(receiver);
        }
        if let Some(list) = parameters {
            frame.params = self.params_of(list);
        } else if let Some(single) = single {
            frame.params = if self.role(single) == Role::Parameter {
                self.params_beside(node, single)
            } else {
                vec![self.plain_param(single)]
            };
        }
        // `init` is a keyword, and calls others of that name: no recursion.
        let may_recurse = name_node.is_none_or(|name| name.is_named());
        frame.head = name_node.or(parameters).or(single).or(body).unwrap_or(node).start_byte();
        frame.is_async = self.is_async(node, entry, frame.head);
        frame.is_test = is_macro || self.is_test(&frame);
        frame.in_test = self.test_scopes > 0;
        if !self.decorators.is_empty() {
            frame.decorators = self.take_decorators(start_byte);
            frame.in_test = frame.in_test || self.marks_tests(&frame.decorators);
        }
        frame.parent = self.frames[outer].index;
        if let Scope::Class(class) = scope {
            frame.class_index = class as i64;
            self.classes[class].methods.push(frame.index);
        } else if scope == Scope::Function(0) && defines && !is_macro {
            self.definitions.insert(name);
        }
        if defines {
            self.note_in_handlers("assign", node);
        }
        frame.node = Some(node);
        frame.body = body.or_else(|| entry.part(node, PartName::Value));
        let error = frame.params.first().map_or(Cow::Borrowed(""), |param| param.name.clone());
        self.frames.push(frame);
        self.scopes.push(Scope::Function(at));
        self.frame = at;
        let handler = if self.handler_functions.is_empty() { None } else { self.open_handler(node, body, error) };
        self.new_leavers.push(Leaver::Function { entry, frame: at, outer, handler, may_recurse });
    }

    /// Finishes a function, and adds what belongs to the function around it.
    pub fn leave_function(
        &mut self,
        entry: &'t Entry,
        at: usize,
        outer: usize,
        handler: Option<usize>,
        may_recurse: bool,
    ) {
        if let Some(handler) = handler {
            self.open_handlers.pop();
            self.finish_handler(handler, None);
        }
        let table = self.table;
        let frame = &mut self.frames[at];
        frame.recursive = frame.recursive && may_recurse;
        if frame.recursive {
            frame.add_flat_cost();
        }
        if let (Some(tests), false) = (&table.test_decorators, frame.is_test) {
            frame.is_test = frame.decorators.iter().any(|decorator| tests.pattern.is_match(decorator.as_bytes()));
        }
        self.frame = outer;
        self.scopes.pop();
        if outer == 0 {
            return;
        }
        if let (Some(body), true) = (self.frames[outer].body, table.wrappers_are_flat) {
            self.frames[outer].flat = self.wraps_one_function(body);
        }
        let (before, after) = self.frames.split_at_mut(at);
        let (around, frame) = (&mut before[outer], &after[0]);
        around.absorb(frame.cognitive, frame.structural);
        let shares_self = frame.class_index < 0
            && (!table.has_anonymous || (!entry.has(PartName::Name) && !entry.has(PartName::Key)));
        if shares_self {
            around.attributes.extend(frame.attributes.iter().cloned());
            around.words.extend(frame.words.iter().copied());
        }
        let inset = i64::from(!frame.statement_like);
        around.nested.push((frame.start as i64 + inset, frame.end as i64 - inset));
    }

    /// Sets what a function's head says about its result.
    fn note_result(
        &mut self,
        frame: &mut FunctionFrame<'t>,
        node: Node<'t>,
        entry: &'t Entry,
        body: Option<Node<'t>>,
        result: Option<Node<'t>>,
        defines: bool,
    ) {
        let results_are_returned = self.table.results_are_returned;
        if let Some(result) = result {
            frame.result = self.result_type(node, result, body);
            frame.returns_value = results_are_returned;
        } else if results_are_returned && defines {
            frame.returns.insert(Cow::Borrowed("nothing"));
        }
        if let Some(fails) = entry.part(node, PartName::Fails) {
            let text = format!("{} {}", self.text(fails), frame.result);
            frame.result = Cow::Owned(text.trim_end_matches(chars::is_space).to_owned());
        }
        if body.is_some_and(|body| self.is_expression(body.start_byte())) {
            frame.returns_value = !matches!(frame.result.as_ref(), "Unit" | "()");
        }
    }

    fn is_async(&self, node: Node<'t>, entry: &'t Entry, head: usize) -> bool {
        let start = node.start_byte();
        let written = self.cut(start, head);
        self.table.async_words.iter().any(|word| {
            chars::find(self.source, word, start, head).is_some()
                && written.split(|byte| chars::is_white(*byte)).any(|part| part == word)
        }) || entry.part(node, PartName::Async).is_some()
    }

    /// Whether a body follows an equals sign: `fun f() = x`, or begins with one: `int F() => x`.
    fn is_expression(&self, start: usize) -> bool {
        self.source.get(start) == Some(&b'=')
            || (self.table.blocks_are_values
                && chars::rstrip_bytes(self.cut(start.saturating_sub(100), start)).ends_with(b"="))
    }

    /// The type a function returns: the node, or if that is a token, the text between it and the body.
    fn result_type(&self, node: Node<'t>, result: Node<'t>, body: Option<Node<'t>>) -> Text<'t> {
        if result.is_named() {
            let trim = |text: &'_ str| -> usize { text.trim_start_matches([' ', ':', '-', '>']).len() };
            return match self.text(result) {
                Cow::Borrowed(text) => {
                    let text = text[text.len() - trim(text)..].trim_end_matches(chars::is_space);
                    Cow::Borrowed(chars::cut(text, MAX_RESULT_CHARS))
                }
                Cow::Owned(text) => {
                    let inner = text[text.len() - trim(&text)..].trim_end_matches(chars::is_space);
                    Cow::Owned(chars::cut(inner, MAX_RESULT_CHARS).to_owned())
                }
            };
        }
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let text = String::from_utf8_lossy(self.cut(result.end_byte(), end));
        Cow::Owned(chars::cut(strip(&text), MAX_RESULT_CHARS).to_owned())
    }

    /// The scope of a function: the type its head names, or what is around it.
    fn scope_of(&mut self, frame: &mut FunctionFrame<'t>, receiver: Option<Node<'t>>) -> Scope {
        if let (Some(receiver), Some(pattern)) = (receiver, &self.table.receiver) {
            let written = self.slice(receiver);
            if let Some(found) = pattern.pattern.search(written, 0, written.len()) {
                if let Some((start, end)) = found.group(pattern.groups["self"]) {
                    if end > start {
                        frame.self_prefix = [&written[start..end], b"."].concat();
                    }
                }
                let (start, end) = found.group(pattern.groups["type"]).unwrap_or((0, 0));
                let name = String::from_utf8_lossy(&written[start..end]);
                return Scope::Class(self.owner(name, frame.start, frame.end));
            }
        }
        if frame.name.contains("::") && !frame.anonymous {
            let full = frame.name.clone().into_owned();
            let (type_name, name) = full.rsplit_once("::").expect("it has one");
            frame.name = Cow::Owned(name.to_owned());
            let plain = without(&self.p().type_arguments, type_name);
            let owner = last_segment(self.p(), plain.as_deref().unwrap_or(type_name)).to_owned();
            return Scope::Class(self.owner(Cow::Owned(owner), frame.start, frame.end));
        }
        self.scope().clone()
    }

    /// The name of a test that a macro defines: `TEST(Cart, IsEmpty)`, `TEST_CASE("an empty cart")`.
    fn macro_test_name(&self, name: &str, arguments: Node<'t>) -> String {
        let texts: Vec<String> = self
            .named_children(arguments)
            .into_iter()
            .map(|argument| squeeze(&self.text(argument), " "))
            .filter(|text| !text.starts_with("\"["))
            .collect();
        chars::cut(&format!("{name}({})", texts.join(", ")), MAX_NAME_CHARS).to_owned()
    }

    /// A function too small to be a fact still deepens the nesting of what is inside it.
    pub fn nesting_only(&mut self) {
        let at = self.frame;
        self.frames[at].nest += 1;
        self.frames[at].lambdas += 1;
        self.new_leavers.push(Leaver::Lambda(at));
    }

    /// A one-line callback: it belongs to the function around it, but may handle an error.
    fn one_line_function(&mut self, node: Node<'t>, entry: &'t Entry) {
        let body = entry.part(node, PartName::Body);
        let parameters = entry.part(node, PartName::Parameters);
        let single = entry.part(node, PartName::Parameter);
        let mut error = match single {
            Some(single) => self.text(single),
            None => Cow::Borrowed(""),
        };
        if let Some(list) = parameters {
            if let Some(first) = self.params_of(list).first() {
                error = first.name.clone();
            }
        }
        if self.tracks_declared {
            self.note_declared(parameters);
            self.note_declared(entry.part(node, PartName::Result));
        }
        let handler = self.open_handler(node, body, error);
        self.nesting_only();
        if let Some(handler) = handler {
            self.new_leavers.push(Leaver::Callback(handler));
        }
    }

    /// The handler that a function passed to `.catch(...)` is, if it is one; an expression body is its return value.
    fn open_handler(&mut self, node: Node<'t>, body: Option<Node<'t>>, error_name: Text<'t>) -> Option<usize> {
        let guarded = self.handler_functions.remove(&node.id())?;
        let body = body?;
        let mut handler = self.new_handler(node.start_byte(), node.end_byte(), guarded);
        handler.error_name = error_name;
        handler.body = body.start_byte();
        let value = self.text(body);
        if !value.starts_with('{') {
            let empty = self.is_empty_value(value.trim_matches(['(', ')']));
            handler.does.insert(if empty { "return_empty" } else { "return_value" });
        }
        let at = self.add_handler(handler);
        self.open_handlers.push(at);
        Some(at)
    }

    /// Whether a body holds only one function, its return, and perhaps a docstring, as in a decorator.
    fn wraps_one_function(&self, body: Node<'t>) -> bool {
        if !matches!(body.named_child_count(), 2 | 3) {
            return false;
        }
        let children = self.named_children(body).into_iter();
        let roles = children.map(|child| self.role(child));
        let kinds: Vec<Role> = roles.filter(|role| !matches!(role, Role::Comment | Role::Statement)).collect();
        kinds.len() == 2 && kinds[1] == Role::Return && matches!(kinds[0], Role::Function | Role::Nothing)
    }

    /// The head of a function that a macro defines, as written: `COMMAND_CALLBACK(buffer)`. Empty for any other.
    fn macro_call(&self, node: Node<'t>) -> String {
        let (Some(kind), Some(inner)) = (node.child_by_field_name("type"), node.child_by_field_name("declarator"))
        else {
            return String::new();
        };
        if inner.kind() != "parenthesized_declarator" {
            return String::new();
        }
        let text = format!("{}{}", self.text(kind), self.text(inner));
        chars::cut(&squeeze(&text, ""), MAX_NAME_CHARS).to_owned()
    }

    fn is_test(&self, frame: &FunctionFrame<'t>) -> bool {
        let (pattern, text) = if frame.anonymous {
            (&self.table.test_calls, &frame.passed_to)
        } else {
            (&self.table.test_names, &frame.name)
        };
        pattern.as_ref().is_some_and(|pattern| pattern.pattern.is_match(text.as_bytes()))
    }

    /// Names an anonymous function after the call it is passed to and the first literal beside it.
    fn name_by_call(&mut self, frame: &mut FunctionFrame<'t>, node: Node<'t>) {
        let table = self.table;
        frame.anonymous = true;
        let mut label = String::new();
        let call = self.call_around(node.start_byte(), node.end_byte()).cloned();
        if let Some(call) = call {
            if self.is_block_of(call.block, node) || self.is_argument_start(call.arguments, node.start_byte()) {
                frame.passed_to = call.target.clone();
                let mut first = call.arguments.and_then(|arguments| self.first_argument(arguments));
                if table.role_of(call.arguments) == Role::String {
                    first = call.arguments;
                }
                match first {
                    Some(first) if self.role(first) == Role::String => {
                        let value = literal_value(self.p(), self.slice(first)).unwrap_or_default();
                        let text = chars::cut(&value, MAX_NAME_CHARS);
                        if !text.is_empty() {
                            label = chars::repr(text);
                        }
                    }
                    Some(first) if !table.labels.is_empty() => label = self.label(first),
                    _ => {}
                }
            }
        }
        let passed_to = frame.passed_to.strip_suffix("()").unwrap_or(&frame.passed_to);
        let called = last_segment(self.p(), passed_to).to_owned();
        frame.noun = if called.is_empty() { table.anonymous.clone() } else { table.callback.clone() };
        let shown = if called.is_empty() { "anonymous" } else { &called };
        frame.name = Cow::Owned(format!("{shown}({label})"));
        if label.is_empty() {
            let title = format!("{called} {}", frame.noun);
            frame.title = title.trim_start_matches(chars::is_space).to_owned();
        }
    }

    /// A symbol or constant as written, or the first key of a hash; empty for any other argument.
    fn label(&self, argument: Node<'t>) -> String {
        let labels = &self.table.labels;
        let own = labels.contains(argument.kind());
        let first = if own { Some(argument) } else { argument.named_child(0) };
        let Some(first) = first else { return String::new() };
        if !labels.contains(first.kind()) || (!own && argument.kind() != "pair") {
            return String::new();
        }
        let text = self.text(first);
        let text = chars::cut(&text, MAX_NAME_CHARS);
        if first.kind() == "hash_key_symbol" {
            format!(":{text}")
        } else {
            text.to_owned()
        }
    }

    /// Whether a function is the block after a call, or the first thing in it: `each { x => … }`.
    fn is_block_of(&self, block: Option<usize>, node: Node<'t>) -> bool {
        let Some(block) = block else { return false };
        let start = node.start_byte();
        start == block || strip_bytes(self.cut(block, start.min(block + 9))) == b"{"
    }

    /// Whether an argument of a call begins at an offset; memoised, as many of them may be functions.
    fn is_argument_start(&mut self, arguments: Option<Node<'t>>, offset: usize) -> bool {
        let Some(arguments) = arguments else { return false };
        if !self.arguments.contains_key(&arguments.id()) {
            let mut starts = HashSet::default();
            for child in self.named_children(arguments) {
                starts.insert(child.start_byte());
                if self.role(child) == Role::Argument {
                    if let Some(last) = self.last_child(child) {
                        starts.insert(last.start_byte()); // after the label: `load(then: { … })`
                    }
                }
            }
            self.arguments.insert(arguments.id(), starts);
        }
        self.arguments[&arguments.id()].contains(&offset)
    }

    pub fn decorator(&mut self, node: Node<'t>, entry: &'t Entry) {
        let arguments = entry.part(node, PartName::Arguments);
        let end = arguments.map_or(node.end_byte(), |arguments| arguments.start_byte());
        let target = self.target(node.start_byte(), end);
        let plain = target.trim_start_matches('@');
        let mut text = plain.strip_suffix("()").unwrap_or(plain).to_owned();
        if let Some(arguments) = arguments {
            let written = self.text(arguments);
            let found = self.p().named_argument.find_all(written.as_bytes(), 0, written.len());
            let words: Vec<&str> = found
                .iter()
                .filter_map(|found| found.group(1))
                .map(|(start, end)| &written[start..end])
                .take(MAX_DECORATOR_ARGUMENTS)
                .collect();
            if !words.is_empty() {
                text = format!("{text}({})", words.join(", ")); // `@Test(expected = …)` says more than `@Test`
            }
        }
        if self.table.whole_decorators {
            let whole = squeeze(&self.text(node), "");
            text = chars::cut(whole.trim_start_matches('@'), MAX_NAME_CHARS).to_owned();
        }
        self.statement_end = self.statement_end.max(node.end_byte()); // its call is no module-level statement
        let text = Cow::Owned(text);
        match self.scope().clone() {
            Scope::Class(class) if node.start_byte() < self.classes[class].head => {
                self.classes[class].decorators.push(text);
            }
            Scope::Function(frame) if node.start_byte() < self.frames[frame].head => {
                self.frames[frame].decorators.push(text);
            }
            _ if !self.table.decorators_inside => self.hold_decorator(text, node.start_byte(), node.end_byte()),
            _ => {}
        }
    }

    /// A name and its value: may name a function or class, and defines module-level names.
    pub fn binding(&mut self, node: Node<'t>, entry: &'t Entry) {
        let table = self.table;
        self.note_in_handlers("assign", node);
        self.note_discard(node);
        if entry.part(node, PartName::Else).is_some() {
            let frame = &mut self.frames[self.frame];
            frame.cyclomatic += 1; // `let Some(x) = y else { return };`
            frame.add_nested_cost();
        }
        let class = match self.scope() {
            Scope::Class(class) => Some(*class),
            _ => None,
        };
        if let (true, Some(class)) = (table.reopens, class) {
            self.define_inside(class, entry.part(node, PartName::Name));
        }
        if self.frame != 0 {
            let name = entry.part(node, PartName::Name);
            if self.tracks_declared {
                self.note_declared(name);
            }
            self.note_write(name);
            let frame = &self.frames[self.frame];
            if !frame.params.is_empty() && frame.control == 0 && frame.lambdas == 0 {
                self.note_overwrite(node, entry, name);
            }
        }
        let at_module = self.at_module_level();
        if !at_module && !table.has_anonymous {
            return;
        }
        let value = self.only_value(entry.part(node, PartName::Value));
        let target = self.named_value(value);
        let field_of = class.filter(|_| table.implicit_self);
        if !at_module && target.is_none() && field_of.is_none() {
            return;
        }
        let names = entry.parts(node, PartName::Name);
        let (Some(first), Some(last)) = (names.first(), names.last()) else { return };
        let mut written = self.cut(first.start_byte(), last.end_byte());
        if let Some(typed) = self.p().typed.match_at(written, 0, written.len()) {
            written = &written[..typed.end];
        }
        let text = String::from_utf8_lossy(written);
        if let Some(class) = field_of {
            for name in bound_names(self.p(), &text) {
                self.classes[class].fields.insert(match name {
                    Cow::Borrowed(name) => Cow::Borrowed(name.as_bytes()),
                    Cow::Owned(name) => Cow::Owned(name.into_bytes()),
                });
            }
            if !written.is_empty() && written.iter().all(u8::is_ascii_alphanumeric) {
                self.declared_at = Some(first.start_byte());
            }
        }
        if let Some(target) = target {
            let name = last_segment(self.p(), text.trim_matches(QUOTES_AND_SPACE));
            self.names.insert(target.id(), chars::cut(name, MAX_NAME_CHARS).to_owned());
        }
        if at_module {
            let is_statement = target.is_none() || target.map(|node| node.id()) != value.map(|node| node.id());
            self.define(node, text, value, is_statement);
        }
    }

    /// Defines a constant of a class, which others use qualified with the class.
    fn define_inside(&mut self, class: usize, name: Option<Node<'t>>) {
        let written = self.text_of(name);
        let capital = written.chars().next().is_some_and(|first| chars::has(first as u32, chars::UPPER));
        if capital && chars::is_identifier(&written) {
            let name = qualified(&self.classes[class].qualname, &written);
            self.definitions.insert(Cow::Owned(name));
        }
    }

    /// Defines a name bound at module level, and notes what that says about exports.
    fn define(&mut self, node: Node<'t>, text: Text<'t>, value: Option<Node<'t>>, is_statement: bool) {
        let table = self.table;
        let declared = table
            .declared_name
            .as_ref()
            .and_then(|declared| declared.pattern.search(text.as_bytes(), 0, text.len()))
            .map(|found| Cow::Owned(text[found.start..found.end].to_owned()));
        let names = match declared {
            Some(name) => vec![name],
            None => bound_names(self.p(), &text),
        };
        self.definitions.extend(names.iter().cloned());
        let line = self.lines.line(node.start_byte());
        for prefix in &table.export_prefixes {
            if let Some(rest) = text.strip_prefix(prefix.as_str()) {
                let rest = rest.trim_start_matches('.');
                let name: Text<'t> = Cow::Owned(if rest.is_empty() { "default" } else { rest }.to_owned());
                self.exports.push(Export { name: name.clone(), line, local: name });
            }
        }
        let is_list = names.len() == 1 && names[0] == table.export_list;
        if is_statement {
            let name = match names.into_iter().next() {
                Some(name) => name,
                None => cut_text(text, MAX_NAME_CHARS),
            };
            self.top_statement(node, "assign", name, value);
        }
        if let (Some(value), true) = (value, is_list) {
            self.has_export_list = true;
            for item in self.named_children(value) {
                let name = literal_value(self.p(), self.slice(item)).unwrap_or_default();
                if !name.is_empty() {
                    self.exports.push(Export { name: name.clone(), line, local: name });
                }
            }
        }
    }

    /// A key or field and its value: may name a function or class.
    pub fn member(&mut self, node: Node<'t>, entry: &'t Entry) {
        if self.table.free_names {
            if let Some(key) = entry.part(node, PartName::Name) {
                self.key_at = Some(key.start_byte()); // mostly a field
            }
        }
        let value = self.only_value(entry.part(node, PartName::Value));
        if let Some(target) = self.named_value(value) {
            if let Some(name) = entry.part(node, PartName::Name) {
                let text = self.text(name);
                let name = chars::cut(text.trim_matches(QUOTES_AND_SPACE), MAX_NAME_CHARS).to_owned();
                self.names.insert(target.id(), name);
            }
        } else if entry.part(node, PartName::Decorator).is_some() {
            self.new_leavers.push(Leaver::Decorators);
        }
    }

    /// The function or class that a name bound to `value` names: the value, or the first argument of a wrapper.
    fn named_value(&self, value: Option<Node<'t>>) -> Option<Node<'t>> {
        let value = value?;
        match self.role(value) {
            Role::Function | Role::Class => return Some(value),
            Role::Call if self.table.has_anonymous => {}
            _ => return None,
        }
        let arguments = self.table.entry(value.kind_id())?.part(value, PartName::Arguments)?;
        let first = self.first_argument(arguments)?;
        if self.role(first) != Role::Function {
            return None;
        }
        let callee = self.cut(value.start_byte(), arguments.start_byte());
        self.p().wrapper.is_full_match(callee).then_some(first)
    }

    /// `self.x` in a method: an attribute it touches. A plain dotted name is not walked.
    pub fn attribute(&mut self, node: Node<'t>, entry: &'t Entry) -> Next {
        let table = self.table;
        let (start, end) = (node.start_byte(), node.end_byte());
        let own = &self.frames[self.frame].self_prefix;
        let prefix: &[u8] = if own.is_empty() { &table.self_prefix } else { own };
        if !prefix.is_empty() && self.source[start..].starts_with(prefix) {
            let at = start + prefix.len();
            if let Some(found) = self.p().own_name.match_at(self.source, at, self.source.len()) {
                let name = String::from_utf8_lossy(self.cut(found.start, found.end));
                self.frames[self.frame].attributes.insert(name);
            }
        } else if !table.environment.is_empty() && self.source[start..].starts_with(&table.environment) {
            let at = start + table.environment.len();
            if let Some(found) = self.p().own_name.match_at(self.source, at, self.source.len()) {
                let value = String::from_utf8_lossy(self.cut(found.start, found.end));
                let call = String::from_utf8_lossy(&table.environment);
                let call = Cow::Owned(call.strip_suffix('.').unwrap_or(&call).to_owned());
                let (line, function) = (self.lines.line(at), self.index());
                self.texts.push(TextFact { value, line, function, call });
            }
        } else if entry.has(PartName::Member) {
            if let Some(member) = entry.part(node, PartName::Member) {
                self.members.insert(member.start_byte());
            }
        } else if table.has_references {
            self.note_qualified(start, end);
        }
        let plain = !table.has_references
            && !self.cut(start, end).iter().any(|byte| matches!(byte, b'(' | b'[' | b'{'));
        if plain {
            Next::Skip
        } else {
            Next::Down
        }
    }

    /// Notes an attribute or entry, or a plain name that the module defines so far.
    pub fn note_write(&mut self, name: Option<Node<'t>>) {
        const MAX_WRITES: usize = 20;
        const MAX_NAME_BYTES: usize = 60;
        let Some(name) = name else { return };
        let (start, end) = (name.start_byte(), name.end_byte());
        if self.frames[self.frame].writes.len() >= MAX_WRITES {
            return;
        }
        let written = if end - start <= MAX_NAME_BYTES { self.text(name) } else { Cow::Borrowed("") };
        if !chars::is_identifier(&written) && self.p().attribute_or_entry.search(self.source, start, end).is_some() {
            let target = self.target(start, end);
            self.frames[self.frame].writes.insert(target);
        } else if self.definitions.contains(&written) {
            self.frames[self.frame].writes.insert(written);
        }
    }
}
