//! A trie: a set of words, each node with a map of children.

use crate::count;
use smallscope::{Bounded, Bounds, rep_ok};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Bounded, Debug, Clone, Default)]
struct Trie {
    root: Node,
}

#[derive(Bounded, Debug, Clone, Default)]
struct Node {
    is_word: bool,
    #[bounded(alphabet = "ab", len = 0..=2)]
    children: BTreeMap<char, Box<Node>>,
}

#[rep_ok]
impl Trie {
    /// No branch ends without a word.
    fn rep_ok(&self) -> bool {
        self.root.children.values().all(|child| Self::leads_to_words(child))
    }

    fn leads_to_words(node: &Node) -> bool {
        (node.is_word || !node.children.is_empty())
            && node.children.values().all(|child| Self::leads_to_words(child))
    }
}

impl Trie {
    fn insert(&mut self, word: &str) -> bool {
        let mut at = &mut self.root;
        for c in word.chars() {
            at = at.children.entry(c).or_default();
        }
        !std::mem::replace(&mut at.is_word, true)
    }

    fn remove(&mut self, word: &str) -> bool {
        self.root.remove(word)
    }

    fn words(&self) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        self.root.collect(String::new(), &mut words);
        words
    }
}

impl Node {
    fn remove(&mut self, word: &str) -> bool {
        let mut rest = word.chars();
        let Some(c) = rest.next() else { return std::mem::take(&mut self.is_word) };
        let Some(child) = self.children.get_mut(&c) else { return false };
        let removed = child.remove(rest.as_str());
        if !child.is_word && child.children.is_empty() {
            self.children.remove(&c);
        }
        removed
    }

    fn collect(&self, prefix: String, words: &mut BTreeSet<String>) {
        for (c, child) in &self.children {
            child.collect(format!("{prefix}{c}"), words);
        }
        if self.is_word {
            words.insert(prefix);
        }
    }
}

/// All words over `ab` up to a length.
fn all_words(most: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let longer: Vec<String> =
            words[from..].iter().flat_map(|w| ["a", "b"].map(|c| format!("{w}{c}"))).collect();
        from = words.len();
        words.extend(longer);
    }
    words
}

/// Sets of words with at most so many different prefixes, counted one by one.
fn sets_of_words(most_prefixes: usize) -> u64 {
    let words = all_words(most_prefixes);
    let prefixes = |set: u32| {
        let chosen = words.iter().enumerate().filter(|(i, _)| set & 1 << i != 0);
        chosen.flat_map(|(_, w)| (1..=w.len()).map(|n| &w[..n])).collect::<BTreeSet<&str>>().len()
    };
    (0..1u32 << words.len()).filter(|&set| prefixes(set) <= most_prefixes).count() as u64
}

#[test]
fn each_set_of_words_is_one_trie() {
    for n in 0..=3 {
        assert_eq!(count::<Trie>(&Bounds::exact().objects("Node", n)), sets_of_words(n as usize));
    }
}

#[smallscope::test(objects(Node = 3), len(word = 0..=3), alphabet(word = "ab"), audit)]
fn insert_and_remove_do_what_a_set_does(mut trie: Trie, word: String) {
    let mut model = trie.words();
    assert_eq!(trie.remove(&word), model.remove(&word));
    assert!(trie.rep_ok());
    assert_eq!(trie.words(), model);
    assert_eq!(trie.insert(&word), model.insert(word));
    assert!(trie.rep_ok());
    assert_eq!(trie.words(), model);
}
