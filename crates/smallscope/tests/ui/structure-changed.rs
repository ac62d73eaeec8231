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
        let Some(h) = &self.head else { return true };
        h.borrow().mark.set(true);
        true
    }
}

fn main() {}
