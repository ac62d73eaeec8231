use smallscope::Bounded;

#[derive(Bounded)]
struct Timer {
    started: std::time::Instant,
}

fn main() {}
