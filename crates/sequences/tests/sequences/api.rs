//! `#[api]`, `derive(Linearize)` and `#[smallscope::sequences]`.

mod attribute;
mod blocks;
mod parameters;

use std::collections::BTreeMap;

use smallscope_sequences::{
    Abstraction, Context, Explorer, Linearize, Pool, Runner, Sink, Stop, Strategy, Test, api,
};

#[derive(Clone, Debug, Default, Hash, Linearize)]
#[linearize(crate = ::smallscope_sequences)]
pub struct Registry<K> {
    entries: Vec<(K, String)>,
    #[linearize(skip, vouched)]
    lookups: usize,
}

#[api(crate = ::smallscope_sequences)]
impl<K: Ord> Registry<K> {
    pub fn new() -> Self {
        Registry { entries: vec![], lookups: 0 }
    }

    pub fn with(first: K) -> Registry<K> {
        Registry { entries: vec![(first, String::new())], lookups: 0 }
    }

    pub fn insert(&mut self, key: K, name: &str) {
        self.entries.push((key, name.to_owned()));
    }

    pub fn name(&mut self, key: &K) -> Option<&str> {
        self.lookups += 1;
        self.entries.iter().find(|(other, _)| other == key).map(|(_, name)| &**name)
    }

    pub fn names(&self) -> Vec<String> {
        self.entries.iter().map(|(_, name)| name.clone()).collect()
    }

    pub fn first_key(&self) -> Option<&K> {
        self.entries.iter().map(|(key, _)| key).min()
    }

    pub fn rename(&mut self, names: &[String]) -> Result<usize, String> {
        if names.len() != self.entries.len() {
            return Err("wrong number".into());
        }
        for (entry, name) in self.entries.iter_mut().zip(names) {
            entry.1 = name.clone();
        }
        Ok(names.len())
    }

    pub fn absorb(&mut self, other: Self) {
        self.entries.extend(other.entries);
    }

    pub fn into_first(mut self) -> Option<K> {
        if self.entries.is_empty() { None } else { Some(self.entries.remove(0).0) }
    }

    #[api(seen)]
    pub fn count(&self) -> u8 {
        self.entries.len() as u8
    }

    #[api(skip)]
    pub fn for_each<'s>(&'s self, mut f: impl FnMut(&'s K)) {
        self.entries.iter().for_each(|(key, _)| f(key));
    }

    fn private(&self) {}
}

fn context() -> Context {
    Context::builder()
        .pool(Pool::<Registry<u8>>::empty(2).named("r").cloned().linearized().shown())
        .pool(Pool::of([3u8, 5]))
        .pool(Pool::of(["a".to_owned()]))
        .pool(Pool::<Vec<String>>::empty(1).cloned().hashed().shown())
        .api::<Registry<u8>>()
        .build()
        .unwrap()
}

#[test]
fn the_alphabet_is_that_of_the_block() {
    Registry::<u8>::new().private();
    Registry::with(1u8).for_each(|_| ());
    let context = context();
    let calls: Vec<_> = context.methods().map(|m| (m.to_owned(), context.calls_of(m).unwrap())).collect();
    let expected = [
        ("Registry::new", 2),
        ("Registry::with", 2 * 2),
        ("insert", 2 * 2),
        // A string goes into its pool.
        ("name", 2 * 2),
        ("names", 2),
        ("first_key", 2 * 2),
        // There is no pool for its result.
        ("rename", 2),
        ("absorb", 2 * 2),
        ("into_first", 2 * 2),
        // Though there is a pool for its result.
        ("count", 2),
    ];
    assert_eq!(calls, expected.map(|(m, n)| (m.to_owned(), n)));
}

#[test]
fn sources_are_like_the_methods() {
    let context = context();
    let text = "r[1] = Registry::with(u8_[1]); r[1].insert(u8_[0], string[0]); string[0] = r[1].name(u8_[1]); \
                u8_[0] = r[1].first_key(); vec[0] = r[1].names(); r[1].rename(vec[0]); r[1].absorb(r[1]); \
                u8_[1] = r[1].into_first()";
    let test = Test::parse(&context, text).unwrap();
    assert_eq!(
        test.to_source(&context),
        "let mut r_1: Registry<u8> = Registry::with(5);
r_1.insert(3, &String::from(\"a\"));
let string = r_1.name(&5).map(|text| text.to_owned()).unwrap();
let u8_0: u8 = r_1.first_key().cloned().unwrap();
let vec: Vec<String> = r_1.names();
r_1.rename(&vec);
r_1.absorb(r_1.clone());
let u8_1: u8 = r_1.into_first().unwrap();
"
    );
}

#[test]
fn blocks_run_and_are_explored() {
    let context = context();
    let report =
        Runner::new(&context, Strategy::bobw(&context, 6, 1).unwrap()).max_tests(2000).run().unwrap();
    assert!(report.counts.errors > 0 && report.clusters.is_empty(), "{report}");
    let complete = Explorer::new(&context).max_length(3).explore().unwrap();
    let shape = Explorer::new(&context).abstraction(Abstraction::Shape).max_length(3).explore().unwrap();
    assert_eq!((complete.stop, shape.stop), (Stop::Exhausted, Stop::Lossy));
    assert!(shape.states < complete.states);
    assert_eq!(complete.compared_by.to_string(), "values without `Registry.lookups` (vouched for)");
}

#[derive(Linearize)]
#[linearize(crate = ::smallscope_sequences)]
enum Expression {
    Number(u8),
    Sum { left: Box<Expression>, right: Box<Expression> },
    Nothing,
}

#[test]
fn enums_are_linearized_with_their_variants() {
    use Expression::{Nothing, Number, Sum};
    let bytes = |expression: &Expression| {
        let mut sink = Sink::new();
        expression.linearize(&mut sink);
        sink.bytes().to_vec()
    };
    assert_eq!(bytes(&Nothing), [2]);
    let sum = Sum { left: Box::new(Number(9)), right: Box::new(Nothing) };
    assert_eq!(bytes(&sum), [1, 1, 0, 9, 2, 2]);
    let all = [Nothing, Number(0), Number(1), sum, Sum { left: Box::new(Nothing), right: Box::new(Nothing) }];
    let different: BTreeMap<_, _> = all.iter().map(|e| (bytes(e), ())).collect();
    assert_eq!(different.len(), all.len());
}
