//! `#[smallscope::sequences]`, as users write it.

use smallscope::sequences::{Builder, Context, Error, Linearize, Panics, Pool, Sink, Values};

/// The last few numbers that were pushed.
#[derive(Clone, Debug, Linearize)]
pub struct Recent {
    items: Vec<u8>,
    capacity: u8,
}

#[smallscope::api]
#[smallscope::cover]
impl Recent {
    pub fn new(capacity: u8) -> Self {
        Recent { items: vec![], capacity }
    }

    /// Does not think of a capacity of nothing.
    pub fn push(&mut self, item: u8) {
        if self.items.len() == self.capacity as usize {
            self.items.remove(0);
        }
        self.items.push(item);
    }

    pub fn last(&self) -> Option<&u8> {
        self.items.last()
    }
}

fn recent(capacities: &[u8]) -> Builder {
    let numbers = capacities.iter().fold(Pool::empty(0), |pool, n| pool.and(*n));
    Context::builder()
        .pool(Pool::<Recent>::empty(1).cloned().linearized().shown())
        .pool(numbers.cloned().hashed().shown())
        .api::<Recent>()
}

#[smallscope::sequences(length = 4)]
fn a_builder_is_enough() -> Builder {
    recent(&[1, 2])
}

#[smallscope::sequences(strategy = "bobw", length = 6, tests = 200, seed = 3, threads = 2)]
fn so_is_a_context() -> Context {
    recent(&[1, 2]).build().unwrap()
}

#[smallscope::sequences(strategy = "be", length = 2)]
fn or_a_result() -> Result<Context, Error> {
    recent(&[1, 2]).build()
}

/// How many items there are.
fn size(values: &Values, sink: &mut Sink) {
    sink.number(values.get::<Recent>(0).map_or(0, |recent| recent.items.len() as u64 + 1));
}

#[smallscope::sequences(length = 9, abstraction = size)]
fn states_are_the_same_if_a_function_says_so() -> Builder {
    recent(&[1, 2])
}

#[smallscope::sequences(length = 3, abstraction = "shape", fields = ["capacity"], order = "dfs", exact)]
fn the_shape_and_a_field() -> Builder {
    recent(&[1, 2])
}

#[smallscope::sequences(length = 5)]
#[should_panic(expected = "`api::attribute::the_shortest_failure_is_found` fails after 2 calls

    let mut recent = Recent::new(0);
    recent.push(0);
    // panicked: removal index (is 0) should be < len (is 0)")]
fn the_shortest_failure_is_found() -> Builder {
    recent(&[0, 1])
}

#[smallscope::sequences(strategy = "random", length = 50, tests = 100, clusters)]
#[should_panic(expected = "sequence: recent[0] = Recent::new(u8_[0]); recent[0].push(u8_[0])")]
fn random_failures_are_made_small() -> Builder {
    recent(&[0, 1])
}

#[smallscope::sequences(length = 4, cover = "blocks")]
fn coverage_is_of_what_the_context_names() -> Builder {
    recent(&[1, 2]).covers::<Recent>()
}

#[smallscope::sequences(length = 5, threads = 1, cover = "blocks")]
#[should_panic(expected = "
code:     3 of 4 blocks, by 2 sequences of up to 2 calls, 1.5 on average; ")]
fn what_was_reached_before_a_failure_is_said() -> Builder {
    recent(&[0, 1]).covers::<Recent>()
}

#[smallscope::sequences(length = 3, cover = "blocks")]
#[ignore = "is run below"]
fn coverage_of_nothing_is_a_mistake() -> Builder {
    recent(&[1, 2])
}

#[smallscope::sequences(length = 3, cover = "llvm")]
#[ignore = "is run below"]
fn counters_need_a_build_that_has_them() -> Builder {
    recent(&[1, 2])
}

#[smallscope::sequences(length = 3)]
fn panics_may_be_allowed() -> Builder {
    recent(&[0, 1]).panics(Panics::Allowed)
}

#[smallscope::sequences(length = 3)]
#[should_panic(expected = "assertion failed: 2 items")]
fn assertions_belong_to_the_context() -> Builder {
    recent(&[2]).assert(|values| match values.get::<Recent>(0).map(|recent| recent.items.len()) {
        Some(2) => Err("2 items".to_owned()),
        _ => Ok(()),
    })
}

#[smallscope::sequences(length = 3)]
#[should_panic(
    expected = "// returned Recent { items: [], capacity: 2 }, but the reference implementation: returned"
)]
fn a_reference_implementation_belongs_to_the_context() -> Builder {
    // The reference gets other numbers.
    recent(&[2]).gold(recent(&[1]))
}

/// The same, with a deque.
#[derive(Clone, Debug, Linearize)]
pub struct Model {
    items: std::collections::VecDeque<u8>,
    capacity: u8,
}

#[smallscope::api]
impl Model {
    pub fn new(capacity: u8) -> Self {
        Model { items: [].into(), capacity }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push_back(item);
        while self.items.len() > self.capacity as usize {
            self.items.pop_front();
        }
    }

    pub fn last(&self) -> Option<&u8> {
        self.items.back()
    }
}

fn model(capacities: &[u8]) -> Builder {
    let numbers = capacities.iter().fold(Pool::empty(0), |pool, n| pool.and(*n));
    Context::builder()
        .pool(Pool::<Model>::empty(1).cloned().linearized().shown())
        .pool(numbers.cloned().hashed().shown())
        .api::<Model>()
}

#[smallscope::sequences(length = 5)]
fn constructors_of_another_type_are_the_same_calls() -> Builder {
    recent(&[1, 2]).gold(model(&[1, 2]))
}

#[smallscope::sequences(length = 5)]
#[should_panic(expected = "but the reference implementation: returned")]
fn a_panic_is_a_difference() -> Builder {
    recent(&[0, 1]).gold(model(&[0, 1]))
}

#[smallscope::sequences(length = 3)]
#[ignore = "is run below"]
fn a_wrong_context_is_explained() -> Builder {
    Context::builder().pool(Pool::<Recent>::empty(1)).api::<Recent>()
}

#[smallscope::sequences(strategy = "states", length = 3)]
#[ignore = "is run below"]
fn states_have_to_be_comparable() -> Builder {
    Context::builder().pool(Pool::<Recent>::empty(1)).pool(Pool::of([1u8])).api::<Recent>()
}

/// The only constructor needs two different numbers.
pub struct Joined;

#[smallscope::api]
impl Joined {
    pub fn join(_: &mut u8, _: &mut u8) -> Self {
        Joined
    }
    pub fn part(&self) {}
}

fn joined() -> Builder {
    Context::builder().pool(Pool::<Joined>::empty(1)).pool(Pool::of([0u8])).api::<Joined>()
}

#[smallscope::sequences(strategy = "bobw", length = 3)]
#[ignore = "is run below"]
fn no_call_can_be_made() -> Builder {
    joined()
}

#[smallscope::sequences(strategy = "bobw", length = 3, allow_empty)]
fn no_call_needs_to_be_made() -> Builder {
    joined()
}

#[smallscope::sequences(strategy = "bobw", length = 3)]
#[should_panic]
#[ignore = "is run below"]
fn no_call_that_should_panic_can_be_made() -> Builder {
    joined()
}

#[test]
fn what_cannot_be_run_or_tests_nothing_is_explained() {
    let tests: [(fn(), &str); 5] = [
        (
            coverage_of_nothing_is_a_mistake,
            "put the attribute on an impl block, and add `.covers::<MyType>()` to the context",
        ),
        (counters_need_a_build_that_has_them, "`cargo smallscope sequences run .. --cover llvm` does that"),
        (
            a_wrong_context_is_explained,
            "cannot be run: the context is wrong: `Recent::new` takes `u8`, which has no pool",
        ),
        (
            states_have_to_be_comparable,
            "states cannot be compared, since the pool of `Recent` does not say how",
        ),
        (
            no_call_can_be_made,
            "has tested nothing: no call could be made: 24 calls were tried
  `Joined::join` needs 2 different values of `u8`, and the pool has 1 slot: make it larger
  `part` takes `Joined`, and there was none: `Joined::join` was not called
`allow_empty` lets a run that tests nothing pass

covered:  all 8 sequences of 3 calls; no call could be made
",
        ),
    ];
    for (test, expected) in tests {
        let panic = std::panic::catch_unwind(test).unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(text.contains(expected), "{text}");
    }
    // The harness says that it did not panic.
    no_call_that_should_panic_can_be_made();
}

#[test]
fn what_the_context_says_holds_for_all_runs() {
    use smallscope::sequences::{Explorer, Runner, Stop, Strategy};
    let allowed = recent(&[0, 1]).panics(Panics::Allowed).build().unwrap();
    let report = Runner::new(&allowed, Strategy::be(&allowed, 3).unwrap()).run().unwrap();
    assert!(report.counts.panics > 0 && report.stop == Stop::Exhausted);
    let gold = recent(&[2]).gold(recent(&[1])).build().unwrap();
    let report = Runner::new(&gold, Strategy::be(&gold, 3).unwrap()).run().unwrap();
    assert_eq!(report.stop, Stop::FirstFailure);
    // A run may have another one.
    let same = recent(&[2]).build().unwrap();
    assert_eq!(Explorer::new(&gold).gold(&same).max_length(3).explore().unwrap().stop, Stop::Exhausted);
    let other =
        Context::builder().pool(Pool::of([1u8])).function("f", (), smallscope::sequences::nothing(), |()| ());
    assert!(matches!(recent(&[2]).gold(other).build(), Err(Error::DifferentContexts { .. })));
}

#[test]
fn a_sequence_is_kept_for_each_state() {
    use smallscope::sequences::{Explorer, Test};
    let context = recent(&[1, 2]).build().unwrap();
    let found = Explorer::new(&context).max_length(3).keep_sequences().explore().unwrap();
    assert_eq!(found.sequences.len() as u64, found.states - 1);
    let mut reached: Vec<String> = found.sequences.iter().map(|test: &Test| end_of(&context, test)).collect();
    reached.sort();
    reached.dedup();
    assert_eq!(reached.len(), found.sequences.len(), "each leads somewhere else");
}

/// What is in the pools after a test.
fn end_of(context: &Context, test: &smallscope::sequences::Test) -> String {
    let mut values = context.initial_values();
    for call in test.calls() {
        context.call(*call, &mut values);
    }
    format!("{:?} {:?} {:?}", values.get::<Recent>(0), values.get::<u8>(0), values.get::<u8>(1))
}
