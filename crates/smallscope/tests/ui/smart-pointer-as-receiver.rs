use smallscope::{Bounded, rep_ok};
use std::rc::Rc;

#[derive(Bounded)]
struct Node {
    next: Option<Rc<Node>>,
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        self.next.as_ref().is_none_or(|n| Self::is_last(n))
    }
    fn is_last(self: &Rc<Self>) -> bool {
        self.next.is_none()
    }
}

fn main() {}
