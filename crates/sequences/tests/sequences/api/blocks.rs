//! Types with several blocks, blocks of traits, and generic methods.

use smallscope_sequences::{Context, Explorer, Linearize, Pool, Stop, Test, api};

#[derive(Clone, Debug, Linearize)]
#[linearize(crate = ::smallscope_sequences)]
pub struct Bag<T> {
    items: Vec<T>,
}

#[api(crate = ::smallscope_sequences)]
impl<T> Bag<T> {
    pub fn new() -> Self {
        Bag { items: vec![] }
    }

    /// Is not there.
    #[cfg(any())]
    pub fn with_capacity(capacity: usize) -> Self {
        Bag(Vec::with_capacity(capacity))
    }

    pub fn add(&mut self, item: T) {
        self.items.push(item);
    }

    #[api(N = 2)]
    pub fn first<const N: usize>(&self) -> Option<[T; N]>
    where
        T: Clone,
    {
        self.items.first_chunk().cloned()
    }
}

#[api(name = Queries, crate = ::smallscope_sequences)]
impl<T: PartialEq> Bag<T> {
    pub fn contains(&self, item: &T) -> bool {
        self.items.contains(item)
    }

    /// Adds a number that is not of the right type yet.
    #[api(U = u8)]
    #[api(U = (u8, u8))]
    pub fn add_from<U: Small + 'static>(&mut self, other: U) -> usize
    where
        T: From<u8>,
    {
        self.items.push(T::from(other.small()));
        self.items.len()
    }
}

pub trait Small: Clone {
    fn small(self) -> u8;
}

impl Small for u8 {
    fn small(self) -> u8 {
        self
    }
}

impl Small for (u8, u8) {
    fn small(self) -> u8 {
        self.0
    }
}

#[api(name = Draining, crate = ::smallscope_sequences)]
impl<T> Iterator for Bag<T> {
    type Item = T;

    fn next(&mut self) -> Option<Self::Item> {
        self.items.pop()
    }

    // As in crates that have smallscope for their tests only.
    #[cfg_attr(test, inline, api(skip))]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.items.len(), Some(self.items.len()))
    }
}

fn context() -> Context {
    Context::builder()
        .pool(Pool::<Bag<u16>>::empty(1).cloned().linearized().shown())
        .pool(Pool::of([3u16, 5]))
        .pool(Pool::of([7u8]))
        .pool(Pool::of([(1u8, 2u8)]))
        .api::<Bag<u16>>()
        .api_block::<Bag<u16>, Queries>()
        .api_block::<Bag<u16>, Draining>()
        .build()
        .unwrap()
}

#[test]
fn all_blocks_are_in_the_alphabet() {
    let context = context();
    let methods: Vec<_> = context.methods().collect();
    let expected =
        ["Bag::new", "add", "first::<2>", "contains", "add_from::<u8>", "add_from::<(u8,u8)>", "next"];
    assert_eq!(methods, expected);
    let found = Explorer::new(&context).max_length(3).explore().unwrap();
    assert_eq!((found.stop, found.clusters.len()), (Stop::Exhausted, 0));
}

#[test]
fn instances_are_written_with_their_types() {
    let context = context();
    let text = "bag[0] = Bag::new(); bag[0].add_from::<u8>(u8_[0]); bag[0].add_from::<(u8,u8)>(value_[0]); \
                bag[0].first::<2>(); u16_[0] = bag[0].next()";
    let test = Test::parse(&context, text).unwrap();
    assert_eq!(test.to_line(&context), text.split_whitespace().collect::<Vec<_>>().join(" "));
    assert_eq!(
        test.to_source(&context),
        "let mut bag: Bag<u16> = Bag::new();
bag.add_from::<u8>(7);
bag.add_from::<(u8,u8)>((1, 2));
bag.first::<2>();
let u16_0: u16 = bag.next().unwrap();
"
    );
    let replies: Vec<_> = context.replay(&test).steps.into_iter().map(|step| step.text).collect();
    assert_eq!(replies[1..], ["returned 1", "returned 2", "returned [7, 1]", "returned 1"]);
}

/// In a module of its own, where a warning is an error.
#[deny(warnings)]
mod deprecated {
    use smallscope_sequences::api;

    #[derive(Default)]
    pub struct Old(u8);

    #[api(crate = ::smallscope_sequences)]
    impl Old {
        #[deprecated]
        pub fn add(&mut self) {
            self.0 += 1;
        }
    }
}

#[test]
fn deprecated_methods_are_called_without_a_warning() {
    let pool = Pool::empty(1).and_made_by(deprecated::Old::default);
    let context = Context::builder().pool(pool).api::<deprecated::Old>().build().unwrap();
    assert_eq!(context.methods().collect::<Vec<_>>(), ["add"]);
}
