use smallscope::{Bounded, rep_ok};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Bounded)]
struct List {
    head: Option<Rc<RefCell<Node>>>,
}

#[derive(Bounded)]
struct Node {
    mark: Cell<bool>,
    next: Option<Rc<RefCell<Node>>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        self.head.as_ref().is_none_or(|h| Rc::strong_count(h) == 1 && h.borrow().next.is_none())
    }
}

fn main() {}
