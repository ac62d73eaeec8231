/// `sources::trees_are_low` fails on this value: assertion failed: tree.height() < 2 || words.len() < 2
#[test]
fn trees_are_low_on_one_value() {
    let tree = Tree { root: Some(Node { key: 0, left: None, right: Some(Node { key: 1, left: None, right: None }.into()) }.into()) };
    let words = vec![String::from(""), String::from("")];
    // Call the code under test here, and check what it does.
    drop((tree, words,));
}

#[kani::proof]
fn trees_are_low_on_one_value_in_kani() {
    let tree = Tree { root: Some(Node { key: 0, left: None, right: Some(Node { key: 1, left: None, right: None }.into()) }.into()) };
    let words = vec![String::from(""), String::from("")];
    // Call the code under test here, and check what it does.
    drop((tree, words,));
}
