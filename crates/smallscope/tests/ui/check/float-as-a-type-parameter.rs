use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct List<T> {
    items: Vec<T>,
}

fn main() {
    let _ = smallscope::all::<List<f64>>(3);
}
