use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct List {
    head: *mut Node,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Node {
    mark: bool,
    next: *mut Node,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut p = self.head;
        while !p.is_null() {
            unsafe {
                (*self.head).mark = true;
                p = (*p).next;
            }
        }
        true
    }
}

fn main() {}
