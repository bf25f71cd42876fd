//! The shape of a function's lines with names and literals left out: what clones are found by.

use crate::walk::Walk;

const MIN_CODE_LINES: i64 = 12;

/// Shapes of the outermost functions that are long enough, nested functions included.
pub fn shapes_of(walk: &Walk) -> Vec<(usize, Vec<u8>)> {
    let functions = &walk.frames[1..];
    let mut tests = vec![false; functions.len()]; // and functions that hold tests
    for (index, frame) in functions.iter().enumerate() {
        let mut at = if frame.is_test { index as i64 } else { -1 };
        while at >= 0 && !tests[at as usize] {
            tests[at as usize] = true;
            at = functions[at as usize].parent;
        }
    }
    let mut shapes = Vec::new();
    let mut reached = 0;
    for (index, frame) in functions.iter().enumerate() {
        if frame.start <= reached
            || tests[index]
            || walk.lines.code(frame.start as i64, frame.end as i64) < MIN_CODE_LINES
        {
            continue;
        }
        reached = frame.end;
        shapes.push((index, pack(walk, frame.start, frame.end)));
    }
    shapes
}

fn pack(walk: &Walk, first: usize, end: usize) -> Vec<u8> {
    let starts = &walk.lines.starts;
    let text = walk.cut(starts[first - 1], starts[end.min(walk.lines.count)]);
    let plain = walk.p().string.replace(text, |_, out| out.push(b'"'));
    let blurred = blur(walk, plain.as_deref().unwrap_or(text));
    let (mut hashes, mut lengths, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = 0;
    for (at, row) in blurred.split(|byte| *byte == b'\n').enumerate() {
        if row.is_empty() || !walk.lines.holds_code(first - 1 + at) {
            continue;
        }
        hashes.extend_from_slice(&crc32fast::hash(row).to_le_bytes());
        lengths.push(row.len().min(255) as u8);
        steps.push((at - before).min(255) as u8);
        before = at;
    }
    hashes.extend(lengths);
    hashes.extend(steps);
    hashes
}

/// The text with one letter per word, and without what formatters add and remove.
fn blur(walk: &Walk, text: &[u8]) -> Vec<u8> {
    let numbers = if walk.p().decimal.contains(text) {
        walk.p().number.replace(text, |_, out| out.push(b'a')) // with its dots a number is one word
    } else {
        None
    };
    let text = numbers.as_deref().unwrap_or(text);
    let mut out = Vec::with_capacity(text.len());
    let mut in_word = false;
    for byte in text {
        let is_letter = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
        if is_letter {
            if !in_word {
                out.push(b'a');
            }
        } else if !matches!(byte, b' ' | b'\t' | b'\r' | b'\x0c' | b';' | b',') {
            out.push(*byte);
        }
        in_word = is_letter;
    }
    out
}
