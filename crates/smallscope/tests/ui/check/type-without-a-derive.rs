struct Tree;

fn main() {
    smallscope::check(3, |_: Tree| {});
}
