use smallscope::Bounded;

#[derive(Bounded)]
struct Button {
    action: Box<dyn Fn()>,
}

fn main() {}
