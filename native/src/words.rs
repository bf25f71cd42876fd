//! Source slices as the short texts that facts hold: call targets, literal values, names.

use crate::chars::{self, cut, is_identifier, length, tail};
use crate::frames::Text;
use crate::table::Patterns;
use crate::walk::Walk;
use std::borrow::Cow;

pub const MAX_TEXT_CHARS: usize = 120;
const MAX_CALLEE_BYTES: usize = 1000;

fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("patterns cut between characters")
}

/// A text without what a pattern matches.
pub fn without(pattern: &crate::sre::Pattern, text: &str) -> Option<String> {
    pattern.replace(text.as_bytes(), |_, _| {}).map(utf8)
}

/// The last name of a dotted text.
pub fn last_segment<'a>(p: &Patterns, text: &'a str) -> &'a str {
    // The pattern finds the run of word characters that ends the text.
    match p.segment.search(text.as_bytes(), 0, text.len()) {
        Some(found) => &text[found.start..found.end],
        None => text,
    }
}

fn is_dotted_name(text: &str) -> bool {
    if text.is_empty() || text.ends_with('.') {
        return false;
    }
    let mut first = true;
    for character in text.chars().filter(|character| *character != '.') {
        let class = if first { chars::ID_START } else { chars::ID_CONTINUE };
        if !chars::has(character as u32, class) {
            return false;
        }
        first = false;
    }
    !first
}

fn shorten<'a>(p: &Patterns, raw: &'a [u8]) -> Text<'a> {
    let text = String::from_utf8_lossy(raw);
    let count = length(&text);
    if count <= MAX_TEXT_CHARS && is_dotted_name(&text) {
        return text;
    }
    let mut text = text.into_owned();
    if text.contains(['(', '[', '{']) || count > MAX_TEXT_CHARS {
        while let Some(shorter) = p.groups.replace(text.as_bytes(), |found, out| match text.as_bytes()[found.start] {
            b'(' => out.push(0),
            b'[' => out.push(1),
            _ => {}
        }) {
            text = utf8(shorter);
        }
        text = text.replace('\0', "()").replace('\u{1}', "[]");
    }
    if text.contains('<') {
        if let Some(plain) = without(&p.generics, &text) {
            text = plain;
        }
        if let Some(plain) = text.strip_suffix("::") {
            text = plain.to_owned();
        }
    }
    if let Some(plain) = without(&p.keyword, &text) {
        text = plain;
    }
    let text: String = text.chars().filter(|character| !chars::is_space(*character)).collect();
    let text = text.replace("?.", ".").replace("&.", ".");
    let text = text.trim_end_matches(['.', '!', ':']);
    if length(text) <= MAX_TEXT_CHARS {
        Cow::Owned(text.to_owned())
    } else {
        Cow::Owned(format!("…{}", tail(text, MAX_TEXT_CHARS)))
    }
}

/// A callee as written, with arguments and subscripts inside it cut: `expect(x).toBe` -> `expect().toBe`.
pub fn call_target<'a>(p: &Patterns, source: &'a [u8], start: usize, end: usize) -> Text<'a> {
    if end.saturating_sub(start) > MAX_CALLEE_BYTES {
        let written = String::from_utf8_lossy(chars::slice(source, end - MAX_TEXT_CHARS, end));
        return Cow::Owned(format!("…{}", last_segment(p, &written)));
    }
    shorten(p, chars::slice(source, start, end))
}

/// Names a pattern on the left of an assignment binds: `{ a, b: c, ...d }` -> a, c, d.
pub fn bound_names<'a>(p: &Patterns, text: &Text<'a>) -> Vec<Text<'a>> {
    if is_identifier(text) {
        return vec![text.clone()];
    }
    // As in Python, nothing at all counts as one of the brackets.
    if text.is_empty() || text.starts_with(['{', '[', '(']) || text.contains(',') {
        let plain = if text.contains('=') { without(&p.default, text) } else { None };
        let plain = plain.as_deref().unwrap_or(text);
        let found = p.bound.find_all(plain.as_bytes(), 0, plain.len());
        return found.iter().map(|found| Cow::Owned(plain[found.start..found.end].to_owned())).collect();
    }
    if p.segment.match_at(text.as_bytes(), 0, text.len()).is_some() {
        return vec![text.clone()];
    }
    match p.declared.search(text.as_bytes(), 0, text.len()).and_then(|found| found.group(1)) {
        Some((start, end)) => vec![Cow::Owned(text[start..end].to_owned())],
        None => Vec::new(),
    }
}

/// The inside of a string literal, or None when it is not one plain literal.
pub fn literal_value<'a>(p: &Patterns, raw: &'a [u8]) -> Option<Text<'a>> {
    let text = String::from_utf8_lossy(raw);
    let (start, end) = p.quoted.match_at(text.as_bytes(), 0, text.len())?.group(2)?;
    Some(match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[start..end]),
        Cow::Owned(text) => Cow::Owned(text[start..end].to_owned()),
    })
}

pub fn cut_text<'a>(text: Text<'a>, count: usize) -> Text<'a> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(cut(text, count)),
        Cow::Owned(text) => {
            if text.len() <= count {
                Cow::Owned(text)
            } else {
                Cow::Owned(cut(&text, count).to_owned())
            }
        }
    }
}

/// `text.strip(of)`, without a copy where there was none.
pub fn strip_text<'a>(text: Text<'a>, of: &[char]) -> Text<'a> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(of)),
        Cow::Owned(text) => Cow::Owned(text.trim_matches(of).to_owned()),
    }
}

/// The words of a text that are separated by white space, joined again.
pub fn squeeze(text: &str, separator: &str) -> String {
    chars::split(text).collect::<Vec<_>>().join(separator)
}

impl<'t> Walk<'t> {
    pub fn target(&mut self, start: usize, end: usize) -> Text<'t> {
        let raw = self.cut(start, end);
        if raw.len() > MAX_CALLEE_BYTES {
            return call_target(self.p(), self.source, start, end);
        }
        if let Ok(text) = std::str::from_utf8(raw) {
            if raw.len() <= MAX_TEXT_CHARS && is_dotted_name(text) {
                return Cow::Borrowed(text);
            }
        }
        if let Some(target) = self.targets.get(raw) {
            return target.clone();
        }
        let target = shorten(self.p(), raw);
        self.targets.insert(raw, target.clone());
        target
    }
}
