use smallscope::rep_ok;

#[rep_ok]
fn rep_ok(x: &u8) -> bool {
    *x < 3
}

fn main() {}
