//! The native reader: facts of files as the Python reader makes them, byte for byte, at the speed of the parser.
//!
//! `crimes/languages/engine/native.py` is the other side. The Python walk stays the reference; whatever is not certain here is
//! declined, and read there.

#![deny(unsafe_code)]

mod chars;
mod control;
mod definitions;
mod encode;
mod facts;
mod frames;
mod handlers;
mod hooks;
mod lines;
mod outline;
mod overwrites;
mod params;
mod references;
mod repeats;
mod shapes;
mod sre;
mod table;
mod tangle;
mod types;
mod uses;
mod walk;
mod words;

use facts::{Answer, Request};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyCapsule, PyDict, PyList};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use table::{Shared, Table};
use tree_sitter::{Language, Parser};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The release of the Python package whose runtime is the one linked in here. With another one the two readers could recover from
/// errors in different ways, so this one is not used then.
const TREE_SITTER: &str = "0.26.0";

/// Of a thread that reads, as the main thread has it: patterns try alternatives by recursion.
const STACK_BYTES: usize = 8 << 20;

/// What all languages share: the patterns of the engine.
#[pyclass(frozen, name = "Shared")]
struct PyShared(Arc<Shared>);

#[pymethods]
impl PyShared {
    #[new]
    fn new(source: &Bound<PyAny>) -> PyResult<Self> {
        Ok(PyShared(Arc::new(Shared::from(source)?)))
    }
}

/// A language, ready to read files.
#[pyclass(frozen, name = "Table")]
struct PyTable(Arc<Table>);

#[pymethods]
impl PyTable {
    #[new]
    fn new(shared: &PyShared, language: &Bound<PyAny>, source: &Bound<PyDict>) -> PyResult<Self> {
        let language = language_of(language)?;
        let mut parser = Parser::new();
        parser.set_language(&language).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyTable(Arc::new(Table::from(language, shared.0.clone(), source)?)))
    }
}

/// The grammar behind the capsule that a grammar package hands out.
#[allow(unsafe_code)] // the only use: the pointer is the package's word for a static table
fn language_of(capsule: &Bound<PyAny>) -> PyResult<Language> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"tree_sitter.Language"))?;
    Ok(unsafe { Language::from_raw(pointer.as_ptr().cast_const().cast()) })
}

struct Job {
    table: Arc<Table>,
    source: Vec<u8>,
    language: String,
    generated: String,
    lines: Option<usize>,
    allowance: Duration,
}

/// A parser for the files of a run: it keeps the memory of one parse for the next.
struct Parsers(Option<(Parser, Arc<Table>)>);

impl Parsers {
    fn of(&mut self, table: &Arc<Table>) -> Option<&mut Parser> {
        if !self.0.as_ref().is_some_and(|(_, own)| Arc::ptr_eq(own, table)) {
            let mut parser = Parser::new();
            parser.set_language(&table.language).ok()?;
            self.0 = Some((parser, table.clone()));
        }
        self.0.as_mut().map(|(parser, _)| parser)
    }
}

fn read_one(job: &Job, parsers: &mut Parsers) -> Answer {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let Some(parser) = parsers.of(&job.table) else {
            return Answer::Declined("the grammar is of another version");
        };
        let request = Request {
            source: &job.source,
            language: &job.language,
            generated: &job.generated,
            lines: job.lines,
            allowance: job.allowance,
        };
        facts::read(parser, &job.table, &request)
    }));
    answer.unwrap_or_else(|_| {
        parsers.0 = None; // whatever state it is in
        Answer::Declined("a fault in this reader")
    })
}

/// Files to read, which several threads take one by one.
struct Batch {
    jobs: Vec<Job>,
    next: AtomicUsize,
}

impl Batch {
    /// Reads what nobody else has taken yet.
    fn read(&self) -> Vec<(usize, Answer)> {
        let mut answers = Vec::new();
        let mut parsers = Parsers(None);
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = self.jobs.get(at) else { return answers };
            answers.push((at, read_one(job, &mut parsers)));
        }
    }
}

type RawJob<'py> = (Bound<'py, PyTable>, Bound<'py, PyBytes>, String, String, Option<usize>, f64);
type Reader = JoinHandle<Vec<(usize, Answer)>>;

/// Reads files without the interpreter's lock, on threads of its own from the start if it is given any.
#[pyclass(frozen)]
struct Reading {
    batch: Arc<Batch>,
    readers: Mutex<Vec<Reader>>,
}

#[pymethods]
impl Reading {
    #[new]
    fn new(jobs: Vec<RawJob>, threads: usize) -> Self {
        let jobs = jobs
            .into_iter()
            .map(|(table, source, language, generated, lines, seconds)| Job {
                table: table.get().0.clone(),
                source: source.as_bytes().to_vec(),
                language,
                generated,
                lines,
                allowance: Duration::from_secs_f64(seconds),
            })
            .collect();
        let batch = Arc::new(Batch { jobs, next: AtomicUsize::new(0) });
        let mut readers = Vec::new();
        for _ in 0..threads {
            let own = batch.clone();
            // Where there is no thread to be had, the caller reads.
            readers.extend(thread::Builder::new().stack_size(STACK_BYTES).spawn(move || own.read()));
        }
        Reading { batch, readers: Mutex::new(readers) }
    }

    /// For each file its facts as bytes, or the reason why it is left to the Python reader.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let answers = py.detach(|| {
            let mut all: Vec<Answer> = self.batch.jobs.iter().map(|_| Answer::Declined("its thread ended")).collect();
            let readers = self.readers.lock().map(|mut readers| std::mem::take(&mut *readers)).unwrap_or_default();
            let mut answers = self.batch.read();
            answers.extend(readers.into_iter().flat_map(|reader| reader.join().unwrap_or_default()));
            for (at, answer) in answers {
                all[at] = answer;
            }
            all
        });
        let list = PyList::empty(py);
        for answer in answers {
            match answer {
                Answer::Facts(facts) => list.append(PyBytes::new(py, &facts))?,
                Answer::Declined(reason) => list.append(reason)?,
            }
        }
        Ok(list)
    }
}

#[pymodule]
fn crimes_native(module: &Bound<PyModule>) -> PyResult<()> {
    std::panic::set_hook(Box::new(|_| {})); // a panic costs its file, which is read again: nothing to tell
    module.add_class::<PyShared>()?;
    module.add_class::<PyTable>()?;
    module.add_class::<Reading>()?;
    module.add("PATTERNS", table::PATTERN_PATHS.to_vec())?;
    module.add("HOOKS", hooks::names())?;
    module.add("TREE_SITTER", TREE_SITTER)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
