use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Span {
    lo: u8,
    hi: u8,
}

#[rep_ok]
impl Span {
    fn rep_ok(&self) -> bool {
        self.lo < self.hi
    }

    fn is_before(&self, other: &Span) -> bool {
        self.hi < other.lo
    }
}

#[derive(Bounded)]
struct Spans {
    first: Span,
    second: Span,
}

#[rep_ok]
impl Spans {
    fn rep_ok(&self) -> bool {
        self.first.is_before(&self.second)
    }
}

fn main() {}
