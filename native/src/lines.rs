//! Byte offsets to lines, and which lines hold code.

use crate::chars::{is_white, slice};

const LOOKBACK_BYTES: usize = 100;

/// The lines of one source. `comment` takes comments and docstrings out of the code lines; then `seal`.
pub struct Lines<'t> {
    source: &'t [u8],
    pub starts: Vec<usize>,
    code: Vec<bool>,
    sums: Vec<u32>,
    pub count: usize,
}

fn blank(text: &[u8]) -> bool {
    text.iter().all(|byte| is_white(*byte))
}

impl<'t> Lines<'t> {
    pub fn new(source: &'t [u8]) -> Self {
        let mut starts = vec![0];
        let mut code = Vec::new();
        let mut at = 0;
        for end in memchr::memchr_iter(b'\n', source) {
            code.push(!blank(&source[at..=end]));
            at = end + 1;
            starts.push(at);
        }
        let mut count = starts.len();
        if at == source.len() {
            code.push(false);
            count -= 1;
        } else {
            code.push(!blank(&source[at..]));
        }
        starts.push(source.len() + 1); // as if the last line had an end
        Lines { source, starts, code, sums: Vec::new(), count }
    }

    /// The 1-based line of a byte offset.
    #[inline]
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The line the last byte before `end` stands on.
    pub fn last_line(&self, end: usize) -> usize {
        if end > 0 {
            self.line(end - 1)
        } else {
            1
        }
    }

    /// The line before an offset; 0 at the start of the file.
    pub fn line_before(&self, offset: usize) -> usize {
        if offset > 0 {
            self.line(offset - 1)
        } else {
            0
        }
    }

    pub fn first_on_line(&self, offset: usize) -> bool {
        let start = self.starts[self.line(offset) - 1];
        if offset - start > LOOKBACK_BYTES && !blank(&self.source[offset - LOOKBACK_BYTES..offset]) {
            return false;
        }
        blank(&self.source[start..offset])
    }

    /// First and last line of a comment, and whether no code stands before it.
    pub fn comment(&mut self, start: usize, end: usize) -> (usize, usize, bool) {
        let first = self.line(start);
        let last = if end > 0 { self.line(end - 1) } else { 0 };
        let begin = self.starts[first - 1];
        let alone = if start - begin > LOOKBACK_BYTES && !blank(&self.source[start - LOOKBACK_BYTES..start]) {
            false
        } else {
            blank(&self.source[begin..start])
        };
        let whole_from = if alone { first } else { first + 1 };
        if whole_from <= last {
            let code_follows = !blank(slice(self.source, end, self.starts[last] - 1));
            let whole = if code_follows { last - 1 } else { last };
            if whole_from <= whole {
                self.code[whole_from - 1..whole].fill(false);
            }
        }
        (first, last, alone)
    }

    /// Whether the line at an index (from 0) holds code.
    pub fn holds_code(&self, index: usize) -> bool {
        self.code.get(index).copied().unwrap_or(false)
    }

    pub fn seal(&mut self) {
        let mut sum = 0;
        self.sums = Vec::with_capacity(self.code.len() + 1);
        self.sums.push(0);
        for code in &self.code {
            sum += u32::from(*code);
            self.sums.push(sum);
        }
    }

    /// Lines with code from first to last, both included.
    pub fn code(&self, first: i64, last: i64) -> i64 {
        if last < first {
            return 0;
        }
        let end = (last as usize).min(self.code.len());
        i64::from(self.sums[end]) - i64::from(self.sums[first as usize - 1])
    }
}
