struct Tree;

impl Tree {
    #[smallscope::test(scope = 3)]
    fn works(&self, key: u8) {
        let _ = key;
    }
}

fn main() {}
