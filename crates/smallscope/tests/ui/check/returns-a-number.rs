fn main() {
    smallscope::check(3, |x: u8| x + 1);
}
