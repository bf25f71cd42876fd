//! Orders: every fact a Rust file can show.
#![allow(dead_code)]

use std::collections::HashMap;
use std::{fmt, io::{self, Read as _}};

use crate::store::{Store, error::{Error, Kind as ErrorKind}};
pub use self::price::Price;
use super::*;
extern crate serde as codec;

mod price;
#[cfg(unix)]
#[path = "os/unix.rs"]
mod os;
#[macro_use]
mod macros {
    mod inner;
    use super::price::Cents;
}

const LIMITS: [u32; 3] = [
    1,
    2,
    3,
];
static NAME: &str = "shop.orders.Worker";
type Orders = HashMap<u32, Order>;

macro_rules! total {
    ($x:expr) => { $crate::price::sum($x) };
}

cfg_net! {
    pub mod wire; // left as tokens
    use crate::net::{Socket, Peer};
}

/// One order.
#[derive(Debug, Clone)]
pub struct Order {
    #[serde(default)]
    id: u32,
    lines: Vec<Line>,
}

pub enum State { Open, Paid { at: u64 } }

pub trait Totals: fmt::Debug + Send {
    fn total(&self) -> u64;
    fn is_free(&self) -> bool { self.total() == 0 }
}

impl Totals for Order {
    fn total(&self) -> u64 {
        self.lines.iter().map(|line| line.price).sum()
    }
}

impl<T: Clone> Order {
    #[inline]
    pub async fn load(&mut self, store: &Store, deep: bool, mut retries: u32) -> Result<State, Error> {
        let Some(row) = store.get(self.id).await else {
            return Err(Error::missing(self.id));
        };
        'rows: for line in row.lines {
            if line.hidden && !deep || line.price == 0 {
                continue 'rows;
            } else if let Some(x) = line.extra && x.old {
                self.lines.push(x);
            } else {
                while retries > 0 {
                    retries -= 1;
                }
            }
        }
        match store.save(self) {
            Ok(_) => {}
            Err(Error::Busy) => return Ok(State::Open),
            Err(e) if e.old() => log::warn!("old {}", crate::text::show(&e)),
            Err(_) => (),
        }
        if let Err(e) = store.flush() {
            report(e)?;
        }
        let _ = store.notify(self.id);
        store.close().ok();
        let done = move |at: u64| {
            State::Paid { at }
        };
        Ok(done(super::clock::now()))
    }
}

fn depth(n: u32) -> u32 {
    let parsed = match read(n) {
        Err(_) => {
            // Nothing to read is nothing to count.
            None
        }
        Ok(v) => Some(v),
    };
    if n == 0 { panic!("empty"); }
    depth(n - 1) + total!(parsed) + Vec::<u32>::with_capacity(3).len() as u32
}

#[cfg(all(test, feature = "full"))]
mod tests {
    use super::*;

    #[tokio::test(flavor = "current_thread")]
    #[should_panic]
    async fn loads() {
        assert_eq!(super::depth(1), 2, "{}", super::super::name());
        let order = Order::new().unwrap();
        order.load(&Store::default(), true, 3).await.unwrap();
    }
}
