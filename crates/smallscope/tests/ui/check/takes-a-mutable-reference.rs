fn main() {
    smallscope::check(3, |v: &mut Vec<u8>| v.clear());
}
