use smallscope::Bounded;

#[derive(Bounded)]
enum Never {}

fn main() {}
