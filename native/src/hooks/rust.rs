use crate::chars::{self, find};
use crate::frames::{HandlerHead, ImportDraft, MacroContents, Text};
use crate::sre::Pattern;
use crate::walk::{Walk, MAX_DOTTED_CHARS};
use crate::words::{call_target, without};
use std::borrow::Cow;
use std::rc::Rc;
use tree_sitter::Node;

const MAX_NAMES_PER_DECLARATION: usize = 1000;

fn pattern<'w>(walk: &'w Walk, path: &str) -> &'w Pattern {
    &walk.table.hook_patterns[path].pattern
}

/// Imports of one declaration. A module in a file of its own is `mod name`.
pub fn imports<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<ImportDraft<'t>> {
    let name = walk.text_of(node.child_by_field_name("name"));
    let public = walk.source[node.start_byte()..].starts_with(b"pub");
    match node.kind() {
        "mod_item" => vec![module_import(&name)],
        "extern_crate_declaration" => {
            let alias = walk.text_of(node.child_by_field_name("alias"));
            let alias = if alias.is_empty() { name.clone() } else { alias };
            vec![ImportDraft { target: name, alias, reexport: public, ..ImportDraft::default() }]
        }
        _ => use_imports(walk, &walk.text_of(node.child_by_field_name("argument")), public),
    }
}

fn module_import<'t>(name: &str) -> ImportDraft<'t> {
    let (target, alias) = (Cow::Owned(format!("mod {name}")), Cow::Owned(name.to_owned()));
    ImportDraft { target, alias, ..ImportDraft::default() }
}

/// Imports of a use tree, names with the same path together; a path of one name is an import of its own.
fn use_imports<'t>(walk: &Walk<'t>, tree: &str, public: bool) -> Vec<ImportDraft<'t>> {
    let raw = without(pattern(walk, "rust.use_trees:_RAW"), tree);
    if raw.as_deref().unwrap_or(tree).contains('#') {
        return Vec::new(); // a template of a macro that generates code
    }
    let plain = without(pattern(walk, "rust.use_trees:_COMMENT"), tree);
    let mut drafts = Vec::new();
    let mut groups: Vec<(Vec<String>, Vec<(Text<'t>, Text<'t>)>)> = Vec::new();
    for (mut path, alias) in leaves(walk, plain.as_deref().unwrap_or(tree)) {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(last) = path.pop() else { continue };
        let alias = if alias.is_empty() { last.clone() } else { alias };
        if path.is_empty() {
            drafts.push(ImportDraft {
                target: Cow::Owned(last),
                alias: Cow::Owned(alias),
                reexport: public,
                ..ImportDraft::default()
            });
            continue;
        }
        let name = (Cow::Owned(last), Cow::Owned(alias));
        match groups.iter_mut().find(|(parent, _)| *parent == path) {
            Some((_, names)) => names.push(name),
            None => groups.push((path, vec![name])),
        }
    }
    for (parent, names) in groups {
        let target = Cow::Owned(parent.join("::"));
        drafts.push(ImportDraft { target, names, reexport: public, ..ImportDraft::default() });
    }
    drafts
}

/// Every path of a use tree in full, with its alias or "".
fn leaves(walk: &Walk, tree: &str) -> Vec<(Vec<String>, String)> {
    let mut outer: Vec<Vec<String>> = Vec::new();
    let begins_outside = tree.trim_start_matches(chars::is_space).starts_with("::"); // `::name` is a crate
    let mut prefix = if begins_outside { vec![String::new()] } else { Vec::new() };
    let mut path: Vec<String> = Vec::new();
    let (mut alias, mut renaming) = (String::new(), false);
    let mut found = Vec::new();
    let tokens = pattern(walk, "rust.use_trees:_TOKEN").find_all(tree.as_bytes(), 0, tree.len());
    for word in tokens.iter().map(|token| &tree[token.start..token.end]).chain([","]) {
        match word {
            "{" => {
                outer.push(prefix.clone());
                prefix.append(&mut path);
            }
            "," | "}" => {
                if !path.is_empty() && found.len() < MAX_NAMES_PER_DECLARATION {
                    found.push(([prefix.clone(), path.clone()].concat(), alias.clone()));
                }
                path.clear();
                alias.clear();
                renaming = false;
                if word == "}" {
                    if let Some(around) = outer.pop() {
                        prefix = around;
                    }
                }
            }
            "as" => renaming = true,
            _ if renaming => alias = word.to_owned(),
            "::" => {}
            _ => {
                let plain = word.strip_prefix("r#").unwrap_or(word);
                path.push(plain.strip_prefix('$').unwrap_or(plain).to_owned());
            }
        }
    }
    found
}

/// A path inside the inline modules `around`, as it reads at the top of the file.
pub fn path_at_file_level(name: &str, around: &str) -> String {
    if let Some(module) = name.strip_prefix("mod ") {
        return format!("mod {around}::{module}");
    }
    let mut words = name.split("::");
    let first = words.next().unwrap_or("");
    let mut rest: Vec<&str> = words.collect();
    let mut inside: Vec<&str> = around.split("::").collect();
    if first == "self" {
        return [vec!["self"], inside, rest].concat().join("::");
    }
    if first != "super" {
        return name.to_owned();
    }
    inside.pop();
    while !inside.is_empty() && rest.first() == Some(&"super") {
        inside.pop();
        rest.remove(0);
    }
    if rest.first() == Some(&"super") && inside.is_empty() {
        return rest.join("::");
    }
    [vec!["self"], inside, rest].concat().join("::")
}

fn blank(pattern: &Pattern, text: &[u8]) -> Option<Vec<u8>> {
    pattern.replace(text, |found, out| out.resize(out.len() + found.end - found.start, b' '))
}

/// Facts of a macro call. Only paths are read from strings too, as in `#[serde(with = "crate::date")]`.
pub fn read_tokens<'t>(walk: &Walk<'t>, written: &'t [u8]) -> MacroContents<'t> {
    let mut source = Cow::Borrowed(written);
    if find(written, b"//", 0, written.len()).is_some() || find(written, b"/*", 0, written.len()).is_some() {
        if let Some(plain) = blank(pattern(walk, "rust.tokens:_COMMENT"), written) {
            source = Cow::Owned(plain);
        }
    }
    let mut code = source.clone();
    if source.contains(&b'"') {
        if let Some(plain) = blank(pattern(walk, "rust.tokens:_STRING"), &source) {
            code = Cow::Owned(plain);
        }
    }
    let mut contents = MacroContents::default();
    if pattern(walk, "rust.tokens:_DECLARES").contains(&code) {
        collect_items(walk, &source, &code, &mut contents);
        let mut used = source.into_owned();
        for (offset, _) in &contents.imports {
            let end = find(&code, b";", *offset, code.len()).unwrap_or(*offset).max(*offset);
            used[*offset..end].fill(b' '); // the path of an import is not a use
        }
        source = Cow::Owned(used);
    }
    for found in pattern(walk, "rust.tokens:_CALL").find_all(&code, 0, code.len()) {
        let call: Vec<u8> = match (found.group(1), found.group(2)) {
            (Some((start, end)), _) => code[start..end].to_vec(),
            (None, Some((start, end))) => {
                let written = code[start..end].iter().copied().filter(|byte| !chars::is_white(*byte));
                b"()".iter().copied().chain(written).collect()
            }
            _ => continue,
        };
        let is_keyword = matches!(
            call.as_slice(),
            b"as" | b"else" | b"fn" | b"for" | b"if" | b"in" | b"let" | b"loop" | b"match" | b"move" | b"return" | b"while"
        );
        if !is_keyword {
            contents.calls.push((found.start, Cow::Owned(String::from_utf8_lossy(&call).into_owned())));
        }
    }
    for found in pattern(walk, "rust.tokens:_PATH").find_all(&source, 0, source.len()) {
        contents.names.push((found.start, Cow::Owned(source[found.start..found.end].to_vec())));
    }
    contents
}

/// Adds declarations and definitions, as in `cfg_net! { mod tcp; pub struct Stream; }`.
fn collect_items<'t>(walk: &Walk<'t>, source: &[u8], code: &[u8], contents: &mut MacroContents<'t>) {
    // For each open brace: the path of inline modules around it, and whether there are only branches of `cfg_if!`.
    let mut braces: Vec<(Rc<str>, bool)> = vec![("".into(), true)];
    let items = &walk.table.hook_patterns["rust.tokens:_ITEM"];
    for found in items.pattern.find_all(code, 1, code.len().saturating_sub(1)) {
        let group = |name: &str| found.group(items.groups[name]).filter(|(start, end)| end > start);
        let text = |span: (usize, usize)| String::from_utf8_lossy(&code[span.0..span.1]).into_owned();
        let at = found.start;
        let (around, outermost) = braces[braces.len() - 1].clone();
        let place = |mut draft: ImportDraft<'t>| {
            if !around.is_empty() {
                draft.target = Cow::Owned(path_at_file_level(&draft.target, &around));
            }
            draft
        };
        if group("open").is_some() {
            let name = group("inline").map(text).unwrap_or_default();
            let inside: Rc<str> = if name.is_empty() || group("branch").is_some() || around.len() >= MAX_DOTTED_CHARS {
                around.clone()
            } else if around.is_empty() {
                name.as_str().into()
            } else {
                format!("{around}::{name}").into()
            };
            if !name.is_empty() && outermost {
                contents.definitions.push(name);
            }
            braces.push((inside, outermost && group("branch").is_some()));
        } else if group("close").is_some() {
            if braces.len() > 1 {
                braces.pop();
            }
        } else if let Some(tree) = group("use") {
            for draft in use_imports(walk, &text(tree), group("public").is_some()) {
                contents.imports.push((at, place(draft)));
            }
        } else if let Some(module) = group("mod") {
            let mut draft = module_import(&text(module));
            let before = &source[at.saturating_sub(300)..module.0];
            let path = pattern(walk, "rust.tokens:_PATH_ATTRIBUTE").search(before, 0, before.len());
            if let Some((start, end)) = path.and_then(|path| path.group(1)) {
                draft.target = Cow::Owned(String::from_utf8_lossy(&before[start..end]).into_owned());
            }
            contents.imports.push((at, place(draft)));
        } else if outermost {
            contents.definitions.push(group("item").map(text).unwrap_or_default());
        }
    }
}

/// `if let Err(e) = f() {…}`, or the arm `Err(e) => …` of a match.
pub fn error_branch<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    if node.kind() == "match_arm" {
        return arm_head(walk, node);
    }
    let condition = node.child_by_field_name("condition")?;
    find(walk.source, b"Err", condition.start_byte(), condition.end_byte())?;
    let parts = if condition.kind() == "let_chain" { walk.named_children(condition) } else { vec![condition] };
    for part in parts {
        let (shape, value) = (part.child_by_field_name("pattern"), part.child_by_field_name("value"));
        if let ("let_condition", Some(shape), Some(value)) = (part.kind(), shape, value) {
            let body = node.child_by_field_name("consequence");
            return head(walk, &walk.text(shape), "", value, body);
        }
    }
    None
}

fn arm_head<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    let shape = node.child_by_field_name("pattern")?;
    find(walk.source, b"Err", shape.start_byte(), shape.end_byte())?;
    let condition = shape.child_by_field_name("condition");
    let end = condition.map_or(shape.end_byte(), |condition| condition.start_byte());
    let written = String::from_utf8_lossy(walk.cut(shape.start_byte(), end));
    let mut text = chars::strip(&written);
    if condition.is_some() {
        text = chars::strip(text.strip_suffix("if").unwrap_or(text));
    }
    let value = node.parent()?.parent()?.child_by_field_name("value")?;
    head(walk, text, &walk.text_of(condition), value, node.child_by_field_name("value"))
}

fn head<'t>(
    walk: &Walk<'t>,
    shape: &str,
    condition: &str,
    value: Node<'t>,
    body: Option<Node<'t>>,
) -> Option<HandlerHead<'t>> {
    let errors = &walk.table.hook_patterns["rust.errors:_ERROR"];
    let error = errors.pattern.full_match(shape.as_bytes(), 0, shape.len())?;
    let inner = error.group(errors.groups["inner"]).map_or("", |(start, end)| &shape[start..end]);
    let name = pattern(walk, "rust.errors:_NAME").full_match(inner.as_bytes(), 0, inner.len());
    let caught = if name.is_some() { condition } else { inner };
    let name = name.and_then(|name| name.group(1)).map_or("", |(start, end)| &inner[start..end]);
    let (body, body_is_value) = unwrap_body(walk, body);
    Some(HandlerHead {
        caught: if caught.is_empty() { Vec::new() } else { vec![Cow::Owned(caught.to_owned())] },
        error_name: Cow::Owned(if name == "_" { "" } else { name }.to_owned()),
        guarded: Some((value.start_byte(), value.end_byte())),
        body,
        body_is_value,
        outlives: false,
    })
}

/// The handling body, unwrapped from a block of one expression, and whether its value is used.
fn unwrap_body<'t>(walk: &Walk<'t>, body: Option<Node<'t>>) -> (Option<Node<'t>>, bool) {
    let Some(mut body) = body else { return (None, false) };
    if body.kind() == "block" {
        let mut inside = walk.named_children(body);
        inside.retain(|child| !matches!(child.kind(), "line_comment" | "block_comment"));
        match inside[..] {
            [only] if !matches!(only.kind(), "expression_statement" | "let_declaration") => body = only,
            _ => return (Some(body), false),
        }
    }
    (Some(body), !matches!(body.kind(), "return_expression" | "break_expression" | "continue_expression"))
}

/// `let _ = f();` and `f().ok();`.
pub fn discards<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<HandlerHead<'t>> {
    if node.kind() == "let_declaration" {
        if walk.text_of(node.child_by_field_name("pattern")) != "_" {
            return None;
        }
        return discarded_call(walk, node.child_by_field_name("value"));
    }
    if !walk.slice(node).ends_with(b".ok();") {
        return None;
    }
    let method = node.named_child(0)?.child_by_field_name("function")?;
    discarded_call(walk, method.child_by_field_name("value"))
}

fn discarded_call<'t>(walk: &Walk<'t>, value: Option<Node<'t>>) -> Option<HandlerHead<'t>> {
    let mut value = value?;
    if value.kind() == "await_expression" {
        value = value.named_child(0)?;
    }
    if !matches!(value.kind(), "call_expression" | "macro_invocation") {
        return None;
    }
    let callee = value.child_by_field_name("function").or_else(|| value.child_by_field_name("macro"))?;
    let target = call_target(walk.p(), walk.source, callee.start_byte(), callee.end_byte());
    Some(HandlerHead { caught: vec![target], ..HandlerHead::default() })
}
