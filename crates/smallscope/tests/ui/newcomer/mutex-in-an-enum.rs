use smallscope::{Bounded, rep_ok};
use std::sync::Mutex;

#[derive(Bounded)]
struct Queue {
    state: State,
}

#[derive(Bounded)]
enum State {
    Idle,
    Busy(Mutex<u8>),
}

#[rep_ok]
impl Queue {
    fn rep_ok(&self) -> bool {
        matches!(self.state, State::Idle)
    }
}

fn main() {}
