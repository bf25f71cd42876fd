//! What Python's str methods say of a character. ASCII is known here; of others the running interpreter is asked once each, since
//! the version of Unicode is the interpreter's.

use pyo3::prelude::*;
use pyo3::types::PyString;
use std::cell::RefCell;
use foldhash::HashMap;

pub const ALNUM: u8 = 1;
pub const SPACE: u8 = 2;
pub const ID_START: u8 = 4;
pub const ID_CONTINUE: u8 = 8;
pub const UPPER: u8 = 16;
pub const ALPHA: u8 = 32;
pub const PRINTABLE: u8 = 64;
pub const DECIMAL: u8 = 128;

thread_local! {
    static KNOWN: RefCell<HashMap<u32, u8>> = RefCell::new(HashMap::default());
}

const fn ascii(code: u8) -> u8 {
    let mut bits = 0;
    if code.is_ascii_alphanumeric() {
        bits |= ALNUM;
    }
    if code.is_ascii_alphabetic() {
        bits |= ALPHA;
    }
    if code.is_ascii_alphabetic() || code == b'_' {
        bits |= ID_START;
    }
    if code.is_ascii_alphanumeric() || code == b'_' {
        bits |= ID_CONTINUE;
    }
    if code.is_ascii_uppercase() {
        bits |= UPPER;
    }
    if code.is_ascii_digit() {
        bits |= DECIMAL;
    }
    if (code >= 9 && code <= 13) || (code >= 28 && code <= 32) {
        bits |= SPACE;
    }
    if code >= 32 && code < 127 {
        bits |= PRINTABLE;
    }
    bits
}

static ASCII: [u8; 128] = {
    let mut table = [0; 128];
    let mut code = 0;
    while code < 128 {
        table[code] = ascii(code as u8);
        code += 1;
    }
    table
};

#[inline]
pub fn has(code: u32, class: u8) -> bool {
    let bits = if code < 128 { ASCII[code as usize] } else { classes(code) };
    bits & class != 0
}

fn classes(code: u32) -> u8 {
    KNOWN.with(|known| {
        if let Some(bits) = known.borrow().get(&code) {
            return *bits;
        }
        let bits = ask(code);
        known.borrow_mut().insert(code, bits);
        bits
    })
}

fn ask(code: u32) -> u8 {
    let Some(character) = char::from_u32(code) else { return 0 };
    Python::attach(|py| {
        let text = PyString::new(py, &character.to_string());
        let after = PyString::new(py, &format!("a{character}"));
        let says = |text: &Bound<PyString>, method: &str| {
            text.call_method0(method).and_then(|answer| answer.extract::<bool>()).expect("str methods answer")
        };
        let mut bits = 0;
        for (method, class) in [
            ("isalnum", ALNUM),
            ("isspace", SPACE),
            ("isidentifier", ID_START),
            ("isupper", UPPER),
            ("isalpha", ALPHA),
            ("isprintable", PRINTABLE),
            ("isdecimal", DECIMAL),
        ] {
            if says(&text, method) {
                bits |= class;
            }
        }
        if says(&after, "isidentifier") {
            bits |= ID_CONTINUE;
        }
        bits
    })
}

/// `str.isidentifier`.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if has(first as u32, ID_START) => characters.all(|next| has(next as u32, ID_CONTINUE)),
        _ => false,
    }
}

pub fn is_space(character: char) -> bool {
    has(character as u32, SPACE)
}

/// `str.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `" ".join(text.split())` and the like need the words.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// `text[:count]`.
pub fn cut(text: &str, count: usize) -> &str {
    if text.len() <= count {
        return text;
    }
    match text.char_indices().nth(count) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

/// `text[-count:]`.
pub fn tail(text: &str, count: usize) -> &str {
    let length = text.chars().count();
    if length <= count {
        return text;
    }
    let (at, _) = text.char_indices().nth(length - count).expect("within the text");
    &text[at..]
}

pub fn length(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}

/// `repr(text)`.
pub fn repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(character);
            }
            _ if has(character as u32, PRINTABLE) => out.push(character),
            _ => {
                let code = character as u32;
                out.push_str(&match code {
                    0..=0xff => format!("\\x{code:02x}"),
                    0x100..=0xffff => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                });
            }
        }
    }
    out.push(quote);
    out
}

pub fn is_white(byte: u8) -> bool {
    matches!(byte, 9..=13 | 32)
}

/// `bytes.strip()`.
pub fn strip_bytes(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_white(*byte)).unwrap_or(text.len());
    rstrip_bytes(&text[start..])
}

pub fn rstrip_bytes(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !is_white(*byte)).map_or(0, |at| at + 1);
    &text[..end]
}

/// `bytes.strip(of)`.
pub fn strip_of<'a>(text: &'a [u8], of: &[u8]) -> &'a [u8] {
    let start = text.iter().position(|byte| !of.contains(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !of.contains(byte)).map_or(start, |at| at + 1);
    &text[start..end]
}

/// `source.find(needle, start, end)`.
pub fn find(source: &[u8], needle: &[u8], start: usize, end: usize) -> Option<usize> {
    let end = end.min(source.len());
    if start > end {
        return None;
    }
    let inside = &source[start..end];
    match needle {
        [] => Some(start),
        [byte] => memchr::memchr(*byte, inside).map(|at| at + start),
        _ => memchr::memmem::find(inside, needle).map(|at| at + start),
    }
}

pub fn rfind(source: &[u8], needle: &[u8], start: usize, end: usize) -> Option<usize> {
    let end = end.min(source.len());
    if start > end {
        return None;
    }
    memchr::memmem::rfind(&source[start..end], needle).map(|at| at + start)
}

/// `source[start:end]`, for offsets that may lie outside.
pub fn slice(source: &[u8], start: usize, end: usize) -> &[u8] {
    let end = end.min(source.len());
    if start >= end {
        return &[];
    }
    &source[start..end]
}
