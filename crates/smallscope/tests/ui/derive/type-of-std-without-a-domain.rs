use smallscope::Bounded;

#[derive(Bounded)]
struct Timer {
    started: std::time::Instant,
    rounds: u8,
}

fn main() {}
