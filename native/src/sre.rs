//! Python's regular expressions, as its own parser reads them. Facts depend on what each of them means to the letter (possessive
//! repeats, fixed look-behinds, what counts as a word), so the tree comes from Python and only the matching is done here.

use crate::chars::{self, ALNUM, DECIMAL, SPACE};
use std::cell::Cell;

const NONE: usize = usize::MAX;
const MAX_DEPTH: u32 = 2_000; // of nested attempts, a kilobyte of stack each: a text that needs more is left to the Python reader
const UNBOUNDED: u32 = u32::MAX;
const MAX_GROUPS: usize = 12;
const MAX_SLOTS: usize = 12; // repeats of more than one character
type Groups = [usize; 2 * MAX_GROUPS];

thread_local! {
    static GAVE_UP: Cell<bool> = const { Cell::new(false) };
}

/// Whether a match since the last call was given up for its depth: what was read with it is not to be trusted.
pub fn take_gave_up() -> bool {
    GAVE_UP.with(|flag| flag.replace(false))
}

#[derive(Clone)]
enum Member {
    Char(u32),
    Range(u32, u32),
    Category(u32),
}

#[derive(Clone)]
struct Set {
    low: [bool; 256], // what bytes, or code points below 256, belong to it
    members: Vec<Member>,
    negate: bool,
    ignore_case: bool,
    bytes: bool,
}

impl Set {
    fn new(members: Vec<Member>, negate: bool, ignore_case: bool, bytes: bool) -> Self {
        let mut set = Set { low: [false; 256], members, negate, ignore_case, bytes };
        let top = if bytes { 256 } else { 128 };
        for code in 0..top {
            set.low[code as usize] = set.holds_slowly(code);
        }
        set
    }

    fn holds_slowly(&self, code: u32) -> bool {
        let folded = if self.ignore_case && code < 128 { (code as u8).to_ascii_lowercase() as u32 } else { code };
        let upper = if self.ignore_case && code < 128 { (code as u8).to_ascii_uppercase() as u32 } else { code };
        let inside = self.members.iter().any(|member| match member {
            Member::Char(own) => *own == folded || *own == upper,
            Member::Range(low, high) => (*low <= folded && folded <= *high) || (*low <= upper && upper <= *high),
            Member::Category(category) => in_category(*category, code, self.bytes),
        });
        inside != self.negate
    }

    #[inline]
    fn holds(&self, code: u32) -> bool {
        if code < 128 || self.bytes {
            self.low[code as usize]
        } else {
            self.holds_slowly(code)
        }
    }
}

fn in_category(category: u32, code: u32, bytes: bool) -> bool {
    let inside = match category / 2 {
        0 => {
            if bytes || code < 128 {
                (48..58).contains(&code)
            } else {
                chars::has(code, DECIMAL)
            }
        }
        1 => {
            if bytes {
                matches!(code, 9..=13 | 32)
            } else {
                chars::has(code, SPACE)
            }
        }
        _ => is_word(code, bytes),
    };
    inside != (category % 2 == 1)
}

fn is_word(code: u32, bytes: bool) -> bool {
    if code < 128 {
        code == 95 || (code as u8).is_ascii_alphanumeric()
    } else {
        !bytes && chars::has(code, ALNUM)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Greedy,
    Lazy,
    Possessive,
}

enum Kind {
    Char(u32),
    Set(Box<Set>),
    SetRepeat { set: Box<Set>, min: u32, max: u32, mode: Mode },
    Branch(Vec<Start>),
    Open(usize),
    Close(usize),
    Repeat { min: u32, max: u32, greedy: bool, body: Start, slot: usize },
    RepeatEnd { repeat: usize },
    Possessive { min: u32, max: u32, body: Start },
    Atomic(usize),
    At(u32),
    Look { negate: bool, behind: Option<u32>, body: usize },
    Reference(usize),
    Accept,
    Match,
}

struct Op {
    kind: Kind,
    next: usize,
}

/// Where a part of a pattern begins.
struct Start {
    at: usize,
    first: Option<Box<[bool; 256]>>, // the bytes it can begin with, if it cannot be empty and they are known
}

impl Start {
    fn new(at: usize) -> Self {
        Start { at, first: None }
    }

    /// Whether the part can match here, as far as its first byte tells.
    #[inline]
    fn fits(&self, state: &State, pos: usize) -> bool {
        match &self.first {
            Some(first) => pos < state.end && first[state.text[pos] as usize],
            None => true,
        }
    }
}

/// A compiled pattern.
pub struct Pattern {
    ops: Vec<Op>,
    start: usize,
    groups: usize,
    bytes: bool,
    first: Option<Box<[bool; 256]>>,
    within: usize, // characters; a longer text holds no match
}

/// Where a match stands, and its groups.
#[derive(Clone)]
pub struct Found {
    pub start: usize,
    pub end: usize,
    groups: Groups,
}

impl Found {
    pub fn group(&self, number: usize) -> Option<(usize, usize)> {
        let (start, end) = (self.groups[2 * number - 2], self.groups[2 * number - 1]);
        (start != NONE && end != NONE).then_some((start, end))
    }
}

struct State<'a> {
    text: &'a [u8],
    end: usize,
    groups: Groups,
    slots: [(u32, usize); MAX_SLOTS],
    whole: bool,
    depth: u32,
}

struct Builder<'a> {
    code: &'a [u32],
    at: usize,
    ops: Vec<Op>,
    slots: usize,
    bytes: bool,
}

impl Builder<'_> {
    fn take(&mut self) -> u32 {
        let value = self.code[self.at];
        self.at += 1;
        value
    }

    fn push(&mut self, kind: Kind, next: usize) -> usize {
        self.ops.push(Op { kind, next });
        self.ops.len() - 1
    }

    /// Items are stored forwards, but built backwards: each needs to know what follows it.
    fn sequence(&mut self, next: usize) -> usize {
        let count = self.take() as usize;
        let mut starts = Vec::with_capacity(count);
        for _ in 0..count {
            starts.push(self.at);
            self.skip_item();
        }
        let end = self.at;
        let mut next = next;
        for start in starts.into_iter().rev() {
            self.at = start;
            next = self.item(next);
        }
        self.at = end;
        next
    }

    fn skip_sequence(&mut self) {
        for _ in 0..self.take() {
            self.skip_item();
        }
    }

    fn skip_item(&mut self) {
        match self.take() {
            0 | 1 | 9 | 11 | 12 => self.at += 1,
            2 | 3 => {}
            4 | 13 => {
                self.at += 1;
                for _ in 0..self.take() {
                    let kind = self.take();
                    self.at += if kind == 1 { 2 } else { 1 };
                }
            }
            5 => {
                for _ in 0..self.take() {
                    self.skip_sequence();
                }
            }
            6 => {
                self.at += 1;
                self.skip_sequence();
            }
            7 => {
                self.at += 3;
                self.skip_sequence();
            }
            8 => self.skip_sequence(),
            10 => {
                self.at += 3;
                self.skip_sequence();
            }
            code => panic!("unknown operation {code}"),
        }
    }

    fn set(&mut self, ignore_case: bool) -> Set {
        let negate = self.take() == 1;
        let count = self.take();
        let members = (0..count)
            .map(|_| match self.take() {
                0 => Member::Char(self.take()),
                1 => Member::Range(self.take(), self.take()),
                _ => Member::Category(self.take()),
            })
            .collect();
        Set::new(members, negate, ignore_case, self.bytes)
    }

    /// The set of a single character, if that is what an item is.
    fn single(&mut self) -> Option<Set> {
        let bytes = self.bytes;
        let one = |code: u32, negate| Set::new(vec![Member::Char(code)], negate, false, bytes);
        match self.take() {
            0 => Some(one(self.take(), false)),
            1 => Some(one(self.take(), true)),
            2 => Some(one(10, true)),
            3 => Some(Set::new(vec![], true, false, bytes)),
            4 => Some(self.set(false)),
            12 => {
                let code = self.take();
                Some(Set::new(vec![Member::Char(code)], false, true, bytes))
            }
            13 => Some(self.set(true)),
            _ => None,
        }
    }

    fn item(&mut self, next: usize) -> usize {
        let start = self.at;
        match self.take() {
            0 => {
                let code = self.take();
                self.push(Kind::Char(code), next)
            }
            1 | 2 | 3 | 4 | 12 | 13 => {
                self.at = start;
                let set = self.single().expect("a single character");
                self.push(Kind::Set(Box::new(set)), next)
            }
            5 => {
                let count = self.take();
                let branches = (0..count).map(|_| Start::new(self.sequence(next))).collect();
                self.push(Kind::Branch(branches), next)
            }
            6 => {
                let group = self.take() as usize;
                if group == 0 {
                    return self.sequence(next);
                }
                let close = self.push(Kind::Close(group - 1), next);
                let body = self.sequence(close);
                self.push(Kind::Open(group - 1), body)
            }
            7 => {
                let mode = [Mode::Greedy, Mode::Lazy, Mode::Possessive][self.take() as usize];
                let (min, max) = (self.take(), self.take());
                let body_at = self.at;
                if self.take() == 1 {
                    if let Some(set) = self.single() {
                        return self.push(Kind::SetRepeat { set: Box::new(set), min, max, mode }, next);
                    }
                }
                self.at = body_at;
                if mode == Mode::Possessive {
                    let accept = self.push(Kind::Accept, NONE);
                    let body = Start::new(self.sequence(accept));
                    return self.push(Kind::Possessive { min, max, body }, next);
                }
                let slot = self.slots;
                self.slots += 1;
                let end = self.push(Kind::Accept, NONE);
                let body = Start::new(self.sequence(end));
                let greedy = mode == Mode::Greedy;
                let repeat = self.push(Kind::Repeat { min, max, greedy, body, slot }, next);
                self.ops[end].kind = Kind::RepeatEnd { repeat };
                repeat
            }
            8 => {
                let accept = self.push(Kind::Accept, NONE);
                let body = self.sequence(accept);
                self.push(Kind::Atomic(body), next)
            }
            9 => {
                let code = self.take();
                self.push(Kind::At(code), next)
            }
            10 => {
                let (behind, width, negate) = (self.take() == 1, self.take(), self.take() == 1);
                let accept = self.push(Kind::Accept, NONE);
                let body = self.sequence(accept);
                self.push(Kind::Look { negate, behind: behind.then_some(width), body }, next)
            }
            11 => {
                let group = self.take() as usize - 1;
                self.push(Kind::Reference(group), next)
            }
            code => panic!("unknown operation {code}"),
        }
    }
}

impl Pattern {
    /// A pattern from the numbers that `crimes/languages/engine/native_patterns.py` writes.
    pub fn new(code: &[u32], groups: usize, bytes: bool, within: usize) -> Self {
        let mut builder = Builder { code, at: 0, ops: Vec::new(), slots: 0, bytes };
        let matched = builder.push(Kind::Match, NONE);
        let start = builder.sequence(matched);
        assert!(groups <= MAX_GROUPS && builder.slots <= MAX_SLOTS, "a pattern with more groups than there is room for");
        let mut pattern =
            Pattern { ops: builder.ops, start, groups, bytes, first: None, within };
        pattern.first = pattern.first_of(start);
        for at in 0..pattern.ops.len() {
            let firsts: Vec<_> = pattern.starts(at).iter().map(|start| pattern.first_of(start.at)).collect();
            for (start, first) in pattern.starts_mut(at).iter_mut().zip(firsts) {
                start.first = first;
            }
        }
        pattern
    }

    fn starts(&self, at: usize) -> &[Start] {
        match &self.ops[at].kind {
            Kind::Branch(branches) => branches,
            Kind::Repeat { body, .. } | Kind::Possessive { body, .. } => std::slice::from_ref(body),
            _ => &[],
        }
    }

    fn starts_mut(&mut self, at: usize) -> &mut [Start] {
        match &mut self.ops[at].kind {
            Kind::Branch(branches) => branches,
            Kind::Repeat { body, .. } | Kind::Possessive { body, .. } => std::slice::from_mut(body),
            _ => &mut [],
        }
    }

    /// The bytes that a match from a step on can begin with; None if it may be empty, or that is not known.
    fn first_of(&self, at: usize) -> Option<Box<[bool; 256]>> {
        let mut first = [false; 256];
        self.first_bytes(at, &mut first, 0).then(|| Box::new(first))
    }

    /// Gathers the bytes a match can begin with; false if it may be empty, or that is not known.
    fn first_bytes(&self, at: usize, first: &mut [bool; 256], depth: u32) -> bool {
        if at == NONE || depth > 50 {
            return false;
        }
        let add_set = |set: &Set, first: &mut [bool; 256]| {
            for (code, slot) in first.iter_mut().enumerate() {
                *slot = *slot || if self.bytes || code < 128 { set.low[code] } else { true };
            }
        };
        let op = &self.ops[at];
        match &op.kind {
            Kind::Char(code) if self.bytes || *code < 128 => {
                first[*code as usize] = true;
                true
            }
            Kind::Char(_) => {
                first[128..].fill(true);
                true
            }
            Kind::Set(set) => {
                add_set(set, first);
                true
            }
            Kind::SetRepeat { set, min, .. } => {
                add_set(set, first);
                *min > 0 || self.first_bytes(op.next, first, depth + 1)
            }
            Kind::Branch(branches) => branches.iter().all(|branch| self.first_bytes(branch.at, first, depth + 1)),
            Kind::Open(_) | Kind::Close(_) | Kind::At(_) | Kind::Look { .. } => {
                self.first_bytes(op.next, first, depth + 1)
            }
            Kind::Repeat { min, body, .. } | Kind::Possessive { min, body, .. } => {
                self.first_bytes(body.at, first, depth + 1) && (*min > 0 || self.first_bytes(op.next, first, depth + 1))
            }
            Kind::Atomic(body) => self.first_bytes(*body, first, depth + 1),
            Kind::Reference(_) | Kind::RepeatEnd { .. } | Kind::Accept | Kind::Match => false,
        }
    }

    fn too_long(&self, text: &[u8]) -> bool {
        self.within != NONE
            && text.len() > self.within
            && (self.bytes || text.iter().filter(|byte| (**byte & 0xC0) != 0x80).count() > self.within)
    }

    fn attempt(&self, state: &mut State, at: usize) -> Option<Found> {
        if self.groups > 0 {
            state.groups = [NONE; 2 * MAX_GROUPS];
        }
        let end = self.run(state, self.start, at)?;
        Some(Found { start: at, end, groups: state.groups })
    }

    fn state<'a>(&self, text: &'a [u8], end: usize, whole: bool) -> State<'a> {
        State {
            text,
            end: end.min(text.len()),
            groups: [NONE; 2 * MAX_GROUPS],
            slots: [(0, NONE); MAX_SLOTS],
            whole,
            depth: 0,
        }
    }

    /// A match that begins at an offset; `end` hides what follows it.
    pub fn match_at(&self, text: &[u8], at: usize, end: usize) -> Option<Found> {
        if self.too_long(text) || at > end.min(text.len()) {
            return None;
        }
        if let Some(first) = &self.first {
            if at >= end.min(text.len()) || !first[text[at] as usize] {
                return None;
            }
        }
        let mut state = self.state(text, end, false);
        self.attempt(&mut state, at)
    }

    pub fn is_match(&self, text: &[u8]) -> bool {
        self.match_at(text, 0, text.len()).is_some()
    }

    pub fn full_match(&self, text: &[u8], at: usize, end: usize) -> Option<Found> {
        if self.too_long(text) || at > end.min(text.len()) {
            return None;
        }
        if let Some(first) = &self.first {
            if at >= end.min(text.len()) || !first[text[at] as usize] {
                return None;
            }
        }
        let mut state = self.state(text, end, true);
        self.attempt(&mut state, at)
    }

    pub fn is_full_match(&self, text: &[u8]) -> bool {
        self.full_match(text, 0, text.len()).is_some()
    }

    pub fn search(&self, text: &[u8], at: usize, end: usize) -> Option<Found> {
        if self.too_long(text) {
            return None;
        }
        let mut state = self.state(text, end, false);
        self.search_from(&mut state, at)
    }

    fn search_from(&self, state: &mut State, mut at: usize) -> Option<Found> {
        while at <= state.end {
            if let Some(first) = &self.first {
                match state.text[at..state.end].iter().position(|byte| first[*byte as usize]) {
                    Some(step) => at += step,
                    None => return None,
                }
            }
            if let Some(found) = self.attempt(state, at) {
                return Some(found);
            }
            at = self.after(state.text, at);
        }
        None
    }

    fn after(&self, text: &[u8], at: usize) -> usize {
        let mut next = at + 1;
        while !self.bytes && next < text.len() && (text[next] & 0xC0) == 0x80 {
            next += 1;
        }
        next
    }

    pub fn contains(&self, text: &[u8]) -> bool {
        self.search(text, 0, text.len()).is_some()
    }

    /// All matches beside each other.
    pub fn find_all(&self, text: &[u8], at: usize, end: usize) -> Vec<Found> {
        let mut all = Vec::new();
        if self.too_long(text) {
            return all;
        }
        let mut state = self.state(text, end, false);
        let mut at = at;
        while let Some(found) = self.search_from(&mut state, at) {
            at = if found.end == found.start { self.after(text, found.end) } else { found.end };
            all.push(found);
        }
        all
    }

    /// The text with each match replaced.
    pub fn replace(&self, text: &[u8], mut by: impl FnMut(&Found, &mut Vec<u8>)) -> Option<Vec<u8>> {
        let all = self.find_all(text, 0, text.len());
        if all.is_empty() {
            return None;
        }
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        for found in &all {
            out.extend_from_slice(&text[at..found.start]);
            by(found, &mut out);
            at = found.end;
        }
        out.extend_from_slice(&text[at..]);
        Some(out)
    }

    #[inline]
    fn read(&self, state: &State, at: usize) -> Option<(u32, usize)> {
        if at >= state.end {
            return None;
        }
        let byte = state.text[at];
        if self.bytes || byte < 128 {
            Some((byte as u32, at + 1))
        } else {
            Some(decode(state.text, at))
        }
    }

    fn code_before(&self, state: &State, at: usize) -> Option<u32> {
        if at == 0 {
            return None;
        }
        if self.bytes {
            return Some(state.text[at - 1] as u32);
        }
        Some(decode(state.text, back(state.text, at)).0)
    }

    fn run(&self, state: &mut State, at: usize, from: usize) -> Option<usize> {
        state.depth += 1;
        if state.depth > MAX_DEPTH {
            GAVE_UP.with(|flag| flag.set(true));
            state.depth -= 1;
            return None;
        }
        let result = self.steps(state, at, from);
        state.depth -= 1;
        result
    }

    fn steps(&self, state: &mut State, mut at: usize, mut pos: usize) -> Option<usize> {
        loop {
            let op = &self.ops[at];
            match &op.kind {
                Kind::Char(code) => {
                    let (read, next) = self.read(state, pos)?;
                    if read != *code {
                        return None;
                    }
                    pos = next;
                }
                Kind::Set(set) => {
                    let (read, next) = self.read(state, pos)?;
                    if !set.holds(read) {
                        return None;
                    }
                    pos = next;
                }
                Kind::SetRepeat { set, min, max, mode } => match mode {
                    Mode::Possessive => pos = self.span(state, set, *min, *max, pos)?,
                    Mode::Greedy => {
                        let start = pos;
                        let mut end = self.span(state, set, *min, *max, pos)?;
                        let shortest = self.span(state, set, *min, *min, start)?;
                        if matches!(self.ops[op.next].kind, Kind::Match) && !state.whole {
                            return Some(end);
                        }
                        // What has to follow, if it is one character, rules most lengths out at once.
                        let needed = match &self.ops[op.next].kind {
                            Kind::Char(code) if self.bytes || *code < 128 => Some(*code as u8),
                            _ => None,
                        };
                        loop {
                            let fits = match needed {
                                Some(byte) => end < state.end && state.text[end] == byte,
                                None => true,
                            };
                            if fits {
                                if let Some(result) = self.run(state, op.next, end) {
                                    return Some(result);
                                }
                            }
                            if end <= shortest {
                                return None;
                            }
                            end = if self.bytes { end - 1 } else { back(state.text, end) };
                        }
                    }
                    Mode::Lazy => {
                        let mut end = self.span(state, set, *min, *min, pos)?;
                        let mut count = *min;
                        loop {
                            if let Some(result) = self.run(state, op.next, end) {
                                return Some(result);
                            }
                            if count >= *max {
                                return None;
                            }
                            let (read, next) = self.read(state, end)?;
                            if !set.holds(read) {
                                return None;
                            }
                            end = next;
                            count += 1;
                        }
                    }
                },
                Kind::Branch(branches) => {
                    let saved = self.saved(state);
                    for branch in branches {
                        if !branch.fits(state, pos) {
                            continue;
                        }
                        if let Some(result) = self.run(state, branch.at, pos) {
                            return Some(result);
                        }
                        self.restore(state, &saved);
                    }
                    return None;
                }
                Kind::Open(group) => state.groups[2 * group] = pos,
                Kind::Close(group) => state.groups[2 * group + 1] = pos,
                Kind::Repeat { slot, .. } => {
                    let saved = state.slots[*slot];
                    state.slots[*slot] = (0, NONE);
                    let result = self.repeat(state, at, pos);
                    if result.is_none() {
                        state.slots[*slot] = saved;
                    }
                    return result;
                }
                Kind::RepeatEnd { repeat } => {
                    let Kind::Repeat { slot, .. } = &self.ops[*repeat].kind else { unreachable!() };
                    let saved = state.slots[*slot];
                    state.slots[*slot].0 += 1;
                    let result = self.repeat(state, *repeat, pos);
                    if result.is_none() {
                        state.slots[*slot] = saved;
                    }
                    return result;
                }
                Kind::Possessive { min, max, body } => {
                    let mut count = 0;
                    while count < *max && body.fits(state, pos) {
                        let saved = self.saved(state);
                        match self.run(state, body.at, pos) {
                            Some(end) if end > pos || count < *min => {
                                pos = end;
                                count += 1;
                            }
                            _ => {
                                self.restore(state, &saved);
                                break;
                            }
                        }
                    }
                    if count < *min {
                        return None;
                    }
                }
                Kind::Atomic(body) => pos = self.run(state, *body, pos)?,
                Kind::At(code) => {
                    if !self.holds_at(state, *code, pos) {
                        return None;
                    }
                }
                Kind::Look { negate, behind, body } => {
                    let mut start = Some(pos);
                    if let Some(width) = behind {
                        for _ in 0..*width {
                            start = match start {
                                Some(0) | None => None,
                                Some(at) if self.bytes => Some(at - 1),
                                Some(at) => Some(back(state.text, at)),
                            };
                        }
                    }
                    let saved = self.saved(state);
                    let found = start.and_then(|start| self.run(state, *body, start)).is_some();
                    if found == *negate {
                        self.restore(state, &saved);
                        return None;
                    }
                    if *negate {
                        self.restore(state, &saved);
                    }
                }
                Kind::Reference(group) => {
                    let (start, end) = (state.groups[2 * group], state.groups[2 * group + 1]);
                    if start == NONE || end == NONE || pos + (end - start) > state.end {
                        return None;
                    }
                    if state.text[start..end] != state.text[pos..pos + (end - start)] {
                        return None;
                    }
                    pos += end - start;
                }
                Kind::Accept => return Some(pos),
                Kind::Match => return (!state.whole || pos == state.end).then_some(pos),
            }
            at = op.next;
        }
    }

    fn repeat(&self, state: &mut State, at: usize, pos: usize) -> Option<usize> {
        let op = &self.ops[at];
        let Kind::Repeat { min, max, greedy, body, slot } = &op.kind else { unreachable!() };
        let (count, start) = state.slots[*slot];
        if count < *min {
            state.slots[*slot].1 = pos;
            return self.run(state, body.at, pos);
        }
        let may_repeat = count < *max && (count == 0 || pos != start) && body.fits(state, pos);
        if *greedy {
            if may_repeat {
                let saved = (state.slots[*slot], self.saved(state));
                state.slots[*slot].1 = pos;
                if let Some(result) = self.run(state, body.at, pos) {
                    return Some(result);
                }
                state.slots[*slot] = saved.0;
                self.restore(state, &saved.1);
            }
            return self.run(state, op.next, pos);
        }
        let saved = (state.slots[*slot], self.saved(state));
        if let Some(result) = self.run(state, op.next, pos) {
            return Some(result);
        }
        state.slots[*slot] = saved.0;
        self.restore(state, &saved.1);
        if !may_repeat {
            return None;
        }
        state.slots[*slot].1 = pos;
        self.run(state, body.at, pos)
    }

    /// The groups as they are; most patterns have none.
    #[inline]
    fn saved(&self, state: &State) -> Option<Groups> {
        (self.groups > 0).then_some(state.groups)
    }

    #[inline]
    fn restore(&self, state: &mut State, saved: &Option<Groups>) {
        if let Some(groups) = saved {
            state.groups = *groups;
        }
    }

    /// The end of the longest run of a set's characters.
    fn span(&self, state: &State, set: &Set, min: u32, max: u32, from: usize) -> Option<usize> {
        let mut pos = from;
        let mut count = 0;
        if self.bytes {
            let limit = if max == UNBOUNDED { state.end } else { state.end.min(from.saturating_add(max as usize)) };
            while pos < limit && set.low[state.text[pos] as usize] {
                pos += 1;
            }
            return (pos - from >= min as usize).then_some(pos);
        }
        while count < max {
            match self.read(state, pos) {
                Some((code, next)) if set.holds(code) => {
                    pos = next;
                    count += 1;
                }
                _ => break,
            }
        }
        (count >= min).then_some(pos)
    }

    fn holds_at(&self, state: &State, code: u32, pos: usize) -> bool {
        match code {
            0 | 2 => pos == 0,
            1 => pos == 0 || state.text[pos - 1] == b'\n',
            3 => pos == state.end || (pos + 1 == state.end && state.text[pos] == b'\n'),
            4 => pos == state.end || state.text[pos] == b'\n',
            5 => pos == state.end,
            _ => {
                let before = self.code_before(state, pos).is_some_and(|code| is_word(code, self.bytes));
                let after = self.read(state, pos).is_some_and(|(code, _)| is_word(code, self.bytes));
                (before != after) == (code == 6)
            }
        }
    }
}

/// The code point at an offset of valid UTF-8, and where the next one begins.
fn decode(text: &[u8], at: usize) -> (u32, usize) {
    let byte = text[at];
    let length = match byte {
        0..=0x7f => return (byte as u32, at + 1),
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    let mut code = (byte as u32) & (0x7f >> length);
    for next in &text[at + 1..(at + length).min(text.len())] {
        code = (code << 6) | (*next as u32 & 0x3f);
    }
    (code, (at + length).min(text.len()))
}

fn back(text: &[u8], at: usize) -> usize {
    let mut before = at - 1;
    while before > 0 && (text[before] & 0xC0) == 0x80 {
        before -= 1;
    }
    before
}
