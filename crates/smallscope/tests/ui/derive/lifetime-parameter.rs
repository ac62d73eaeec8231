use smallscope::Bounded;

#[derive(Bounded)]
struct View<'a> {
    text: &'a str,
}

fn main() {}
