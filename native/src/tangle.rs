//! How tangled a function is: its cognitive complexity without what reads in a straight line.

use crate::chars::{find, rstrip_bytes};
use crate::frames::{Branch, Tangle};
use crate::outline::{outline_of, Part};
use crate::walk::Walk;
use foldhash::HashMap;
use std::collections::BTreeMap;

const MIN_COMPLEXITY: i64 = 30;
const MIN_LEFT: i64 = 20;
const MIN_DISPATCH_ARMS: usize = 3;
const MIN_SIBLINGS: usize = 4;
const MAX_STEP_COST: i64 = 3;
const MAX_ARM_COST: i64 = 5;
const MAX_GUARD_LINES: usize = 8;
const MIN_MODULE_FUNCTIONS: usize = 4;
const MAX_HEADER_BYTES: usize = 400;
const MAX_ARMS: usize = 3;
const MIN_ARM_PERCENT: i64 = 20;
const MIN_OTHER_ARM_PERCENT: i64 = 10;
const MAX_ARM_PERCENT: i64 = 80;

const DISPATCH: &str = "flat dispatch";
const GUARDS: &str = "guards";
const STEPS: &str = "small steps";
const VALUES: &str = "simple ternaries";
const NESTED: &str = "nested functions";

const OPEN_ENDS: &[&[u8]] = &[b"(", b"&&", b"||", b",", b" and", b" or"];
const NO_SUBJECTS: &[&[u8]] = &[
    b"if", b"elif", b"elsif", b"elseif", b"else", b"let", b"not", b"and", b"or", b"is", b"in", b"null", b"nil",
    b"none", b"true", b"false", b"return", b"const", b"var", b"auto", b"this", b"self", b"new",
];

/// Sets the tangle of each function with enough complexity, nested ones included.
pub fn measure_tangles(walk: &mut Walk) {
    let outermost: Vec<usize> = (1..walk.frames.len())
        .filter(|at| {
            let frame = &walk.frames[*at];
            frame.cognitive >= MIN_COMPLEXITY && frame.parent < 0 && !frame.is_test && !frame.in_test
        })
        .collect();
    if outermost.is_empty() {
        return;
    }
    let mut by_node = HashMap::default();
    for (at, frame) in walk.frames.iter().enumerate() {
        if let Some(node) = frame.node {
            by_node.insert(node.id(), at);
        }
    }
    for outer in outermost {
        let mut parts = outline_of(walk, outer, &by_node);
        mark_dispatches(walk, &mut parts);
        sum_up(walk, &mut parts);
        for at in 0..parts.len() {
            let Some(frame) = parts[at].frame else { continue };
            if parts[at].flat >= MIN_LEFT && walk.frames[frame].cognitive >= MIN_COMPLEXITY {
                let tangle = tangle_of(walk, &parts, at, frame);
                walk.frames[frame].tangle = Some(tangle);
            }
        }
    }
}

fn mark_dispatches(walk: &Walk, parts: &mut [Part]) {
    for at in 0..parts.len() {
        if parts[at].role == "switch" {
            parts[at].is_dispatch = true;
        } else if parts[at].role == "if" {
            let arms: Vec<usize> =
                parts[at].inner.iter().copied().filter(|arm| parts[*arm].role != "else").collect();
            if arms.len() >= MIN_DISPATCH_ARMS {
                let needed = arms.len() - arms.len() / 5;
                parts[at].is_dispatch = on_one_subject(walk, parts, &arms).len() >= needed;
            }
        }
        let rungs: Vec<usize> = parts[at]
            .inner
            .iter()
            .copied()
            .filter(|inner| parts[*inner].role == "if" && parts[*inner].inner.len() == 1)
            .collect();
        if rungs.len() >= MIN_SIBLINGS {
            let ladder = on_one_subject(walk, parts, &rungs);
            if ladder.len() >= MIN_SIBLINGS {
                for rung in ladder {
                    parts[rung].is_dispatch = true;
                }
            }
        }
    }
}

/// The arms whose conditions name the same thing, as many as can be.
fn on_one_subject(walk: &Walk, parts: &[Part], arms: &[usize]) -> Vec<usize> {
    let mut order: Vec<Vec<usize>> = Vec::new();
    let mut by_word: HashMap<&[u8], usize> = HashMap::default();
    for arm in arms {
        let header = header(walk, &parts[*arm]);
        let mut seen: Vec<&[u8]> = Vec::new();
        for found in walk.p().subject.find_all(header, 0, header.len()) {
            let word = &header[found.start..found.end];
            if seen.contains(&word) {
                continue;
            }
            seen.push(word);
            if NO_SUBJECTS.contains(&word.to_ascii_lowercase().as_slice()) {
                continue;
            }
            let at = *by_word.entry(word).or_insert_with(|| {
                order.push(Vec::new());
                order.len() - 1
            });
            order[at].push(*arm);
        }
    }
    let mut most: Vec<usize> = Vec::new();
    for named in order {
        if named.len() > most.len() {
            most = named;
        }
    }
    most
}

/// The first line of an arm; the whole condition if that goes on.
fn header<'t>(walk: &Walk<'t>, arm: &Part) -> &'t [u8] {
    let Some(line_end) = find(walk.source, b"\n", arm.start, arm.end) else { return walk.cut(arm.start, arm.end) };
    let line = rstrip_bytes(walk.cut(arm.start, line_end));
    if !OPEN_ENDS.iter().any(|end| line.ends_with(end)) {
        return line;
    }
    let header = walk.cut(arm.start, arm.end.min(arm.start + MAX_HEADER_BYTES));
    match walk.p().body_begins.search(header, 0, header.len()) {
        Some(found) => &header[..found.start],
        None => header,
    }
}

/// Sets the cost of each part without nesting and what a level adds, from the innermost to the outermost.
fn sum_up(walk: &Walk, parts: &mut [Part]) {
    for at in (0..parts.len()).rev() {
        leave_out_inner(parts, at);
        let (mut flat, mut slope) = (0, 0);
        for inner in &parts[at].inner {
            let inner = &parts[*inner];
            if inner.reason.is_empty() {
                flat += inner.flat;
                slope += if inner.is_named_function { 0 } else { inner.slope };
            }
        }
        let part = &parts[at];
        let deeper = if part.is_dispatch || part.is_named_function { 0 } else { part.deeper };
        let total = part.raw_flat + part.structural + flat + slope * deeper;
        let reason = if is_guard(walk, parts, at) {
            GUARDS
        } else if part.role == "ternary" && !part.inner.iter().any(|inner| parts[*inner].structural != 0) {
            VALUES
        } else {
            part.reason
        };
        let part = &mut parts[at];
        part.flat = total;
        part.slope = part.structural + slope;
        part.reason = reason;
    }
}

/// Leaves out arms that decide next to nothing, rows of small steps, and functions that make up a module.
fn leave_out_inner(parts: &mut [Part], at: usize) {
    let inner = parts[at].inner.clone();
    if parts[at].is_dispatch {
        for arm in inner {
            let arm = &mut parts[arm];
            if matches!(arm.role, "then" | "elseif" | "else") {
                arm.flat -= arm.raw_flat;
            }
            if arm.flat <= MAX_ARM_COST && arm.reason.is_empty() {
                arm.reason = DISPATCH;
            }
        }
        return;
    }
    let steps: Vec<usize> = inner
        .iter()
        .copied()
        .filter(|inner| {
            let inner = &parts[*inner];
            inner.structural != 0 && inner.reason.is_empty() && inner.flat <= MAX_STEP_COST
        })
        .collect();
    let named: Vec<usize> = inner.iter().copied().filter(|inner| parts[*inner].is_named_function).collect();
    if steps.len() >= MIN_SIBLINGS {
        for step in steps {
            parts[step].reason = STEPS;
        }
    }
    if named.len() >= MIN_MODULE_FUNCTIONS {
        for function in named {
            parts[function].reason = NESTED;
        }
    }
}

/// Whether an `if` has no `else`, decides nothing inside, and leaves.
fn is_guard(walk: &Walk, parts: &[Part], at: usize) -> bool {
    let part = &parts[at];
    if part.role == "let else" {
        return true;
    }
    if part.role != "if" || part.inner.len() != 1 {
        return false;
    }
    let decides = parts[part.inner[0]].inner.iter().any(|inner| {
        !matches!(parts[*inner].role, "logical" | "infix" | "ternary" | "function" | "jump" | "transfer")
    });
    if decides || walk.lines.last_line(part.end).saturating_sub(walk.lines.line(part.start)) > MAX_GUARD_LINES {
        return false;
    }
    let text = walk.cut(part.start, part.end);
    text.starts_with(b"guard") || walk.p().leaves.contains(text)
}

/// Where a part is inside the function that is measured: its nesting as published, and as counted here.
struct Place {
    published: i64,
    counted: i64,
    control: i64,
    alone: i64,
    reason: &'static str,
    cost: i64,
}

/// The tangle of the function that is the part at an index, read on its own.
fn tangle_of(walk: &Walk, parts: &[Part], at: usize, frame: usize) -> Tangle {
    let root = &parts[at];
    let mut places: HashMap<usize, Place> = HashMap::default();
    places.insert(
        at,
        Place { published: 0, counted: 0, control: 0, alone: 0, reason: "", cost: root.raw_flat },
    );
    let mut inside = vec![at];
    let mut discounts: BTreeMap<&'static str, (i64, i64)> = BTreeMap::new();
    let (mut total, mut raw, mut nesting) = (root.raw_flat, root.raw_flat, 0);
    for index in at + 1..parts.len() {
        let part = &parts[index];
        let Some(around) = part.parent.and_then(|parent| places.get(&parent)) else { break };
        inside.push(index);
        let mut place = inner_place(part, around);
        nesting = nesting.max(place.control);
        let published = part.raw_flat + part.structural * (1 + around.published);
        let flat_arm =
            part.parent.is_some_and(|parent| parts[parent].is_dispatch) && matches!(part.role, "elseif" | "else");
        if place.reason.is_empty() {
            place.cost = if flat_arm { 0 } else { part.raw_flat } + part.structural * (1 + around.counted);
        }
        raw += published;
        total += place.cost;
        let left_out = published - place.cost;
        if left_out != 0 {
            let alone = if !place.reason.is_empty() || part.structural == 0 { 0 } else { around.alone };
            let reason = if place.reason.is_empty() { DISPATCH } else { place.reason };
            let entry = discounts.entry(reason).or_default();
            entry.0 += left_out - alone;
            entry.1 += i64::from(!part.reason.is_empty());
            discounts.entry(NESTED).or_default().0 += alone;
        }
        places.insert(index, place);
    }
    for part in inside[1..].iter().rev() {
        let cost = places[part].cost;
        if let Some(parent) = parts[*part].parent {
            places.get_mut(&parent).expect("what is around it has a place").cost += cost;
        }
    }
    let arms: Vec<(usize, i64)> = inside[1..].iter().map(|part| (*part, places[part].cost)).collect();
    let own = &walk.frames[frame];
    Tangle {
        published: raw,
        cost: total,
        nesting,
        lines: body_lines(walk, frame),
        code_lines: walk.lines.code(own.start as i64, own.end as i64),
        discounts: discounts
            .into_iter()
            .filter(|(_, (cost, _))| *cost != 0)
            .map(|(reason, (cost, count))| (reason, cost, count))
            .collect(),
        arms: heaviest_arms(walk, parts, arms, total),
        share_of_outer: if root.parent.is_none() || !root.reason.is_empty() { 0 } else { root.flat },
    }
}

/// Lines of code of a body, nested functions included, without the signature and literals.
fn body_lines(walk: &Walk, frame: usize) -> i64 {
    let frame = &walk.frames[frame];
    let first = frame.body.map_or(frame.start, |body| walk.lines.line(body.start_byte())) as i64;
    let literal: i64 = frame
        .literals
        .iter()
        .map(|(start, end)| walk.lines.code((*start as i64).max(first), *end as i64))
        .sum();
    (walk.lines.code(first, frame.end as i64) - literal).max(1)
}

fn inner_place(part: &Part, around: &Place) -> Place {
    let published = around.published + part.deeper;
    let reason = if around.reason.is_empty() { part.reason } else { around.reason };
    let control = around.control + i64::from(matches!(part.role, "if" | "loop" | "switch" | "try"));
    let (counted, alone) = if part.is_named_function {
        (0, published)
    } else {
        (around.counted + if part.is_dispatch { 0 } else { part.deeper }, around.alone)
    };
    Place { published, counted, control, alone, reason, cost: 0 }
}

/// Up to three arms that lie beside each other; none if no arm holds a fair share.
fn heaviest_arms(walk: &Walk, parts: &[Part], mut arms: Vec<(usize, i64)>, total: i64) -> Vec<Branch> {
    arms.sort_by_key(|(part, cost)| (-cost, parts[*part].start));
    let mut chosen: Vec<(usize, i64)> = Vec::new();
    for (part, cost) in arms {
        let least = if chosen.is_empty() { MIN_ARM_PERCENT } else { MIN_OTHER_ARM_PERCENT };
        if cost == 0 || 100 * cost < least * total || chosen.len() == MAX_ARMS {
            break;
        }
        let apart = !chosen.iter().any(|(other, _)| is_inside(parts, part, *other) || is_inside(parts, *other, part));
        if is_arm(parts, part) && 100 * cost <= MAX_ARM_PERCENT * total && apart {
            chosen.push((part, cost));
        }
    }
    chosen.into_iter().map(|(part, cost)| branch(walk, &parts[part], cost)).collect()
}

fn is_arm(parts: &[Part], at: usize) -> bool {
    let part = &parts[at];
    if part.role == "then" {
        if let Some(parent) = part.parent {
            if parts[parent].role == "if" {
                return parts[parent].inner.len() > 1;
            }
        }
    }
    matches!(part.role, "then" | "elseif" | "else" | "case" | "arm" | "loop" | "handler" | "function")
        || (part.role == "if" && part.inner.len() == 1)
}

fn is_inside(parts: &[Part], part: usize, other: usize) -> bool {
    let mut around = parts[part].parent;
    while let Some(at) = around {
        if at == other {
            return true;
        }
        around = parts[at].parent;
    }
    false
}

/// An arm as a fact: its keyword as written, or the name of a function.
fn branch(walk: &Walk, part: &Part, cost: i64) -> Branch {
    let line = walk.lines.line(part.start);
    if part.role == "function" {
        let named = part.frame.filter(|_| part.is_named_function);
        let keyword = named.map_or("closure".to_owned(), |frame| walk.frames[frame].name.clone().into_owned());
        return Branch { line, keyword, cost, is_function: true };
    }
    let word = walk.keyword(part.node);
    let usual: &[&str] = match part.role {
        "elseif" => {
            let keyword = if word == "if" { "else if".to_owned() } else { word.into_owned() };
            return Branch { line, keyword, cost, is_function: false };
        }
        "if" => &["if", "unless", "guard"],
        "then" => &["if", "unless", "guard", "try", "begin", "do"],
        "else" => &["else"],
        "case" => &["arm", "case", "default", "when", "in", "else"],
        "arm" => &["arm", "case", "default", "else"],
        _ => &[],
    };
    let keyword = if usual.is_empty() || usual.contains(&word.as_ref()) { word.as_ref() } else { usual[0] };
    Branch { line, keyword: keyword.to_owned(), cost, is_function: false }
}
