use smallscope_cover::cover;

#[cover(static LENGTH, predicates(items.is_empty()))]
fn length(items: Vec<u8>) -> usize {
    let boxed = items.into_boxed_slice();
    if boxed.len() > 3 {
        return 3;
    }
    boxed.len()
}

fn main() {}
