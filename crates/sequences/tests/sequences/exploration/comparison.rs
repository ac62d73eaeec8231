//! What "the same state" means: explorations say so, and only complete comparisons are exhaustive without a promise.

use std::fmt;

use super::*;
use smallscope_sequences::{Campaign, Completeness, Sink, Watch, Which};

/// A ring of three places. `pop` forgets to wrap its head, so the seventh call can be out of range. `Debug` and `Hash`
/// hide the head.
#[derive(Clone, Default, Linearize)]
#[linearize(crate = ::smallscope_sequences)]
struct Ring {
    places: [u8; 3],
    #[linearize(skip)]
    head: usize,
    len: usize,
}

impl Ring {
    fn push(&mut self) {
        if self.len < 3 {
            // An index out of range, if the head is.
            self.places[self.head] += 0;
            self.len += 1;
        }
    }

    fn pop(&mut self) {
        if self.len > 0 {
            self.head += 1;
            self.len -= 1;
        }
    }
}

impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(vec![0; self.len]).finish()
    }
}

impl std::hash::Hash for Ring {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.len.hash(state);
    }
}

fn rings(pool: Pool<Ring>) -> Builder {
    Context::builder()
        .pool(pool.and(Ring::default()).cloned().named("ring"))
        .method("push", (by_mut::<Ring>(),), nothing(), |(ring,)| ring.push())
        .method("pop", (by_mut::<Ring>(),), nothing(), |(ring,)| ring.pop())
        .method("len", (by_ref::<Ring>(),), seen(), |(ring,)| ring.len)
}

fn by_len(ring: &Ring, sink: &mut Sink) {
    sink.number(ring.len as u64);
}

#[test]
fn a_comparison_that_may_hide_something_is_lossy_and_named() {
    let pool = || Pool::<Ring>::empty(1);
    for (compared, text) in [
        (pool().debugged(), "the `Debug` text of `Ring` (lossy)"),
        (pool().hashed(), "the `Hash` of `Ring` (lossy)"),
        (pool().linearized_by(by_len), "a function of `Ring` (lossy)"),
        (pool().linearized(), "values without `Ring.head` (lossy)"),
    ] {
        let context = rings(compared).build().unwrap();
        let found = Explorer::new(&context).explore().unwrap();
        assert_eq!((found.stop, found.states, found.is_closed), (Stop::Lossy, 4, true), "{text}");
        assert_eq!(found.compared_by.to_string(), text);
        assert!(found.to_string().contains(&format!("\nstates compared by: {text}\n")), "{found}");
        assert!(!found.to_string().contains("no sequence of calls"), "{found}");
        let campaign = Campaign { length: Some(20), ..Campaign::default() };
        let covered = campaign.run(&context, &Watch::default()).unwrap().covered();
        assert_eq!(
            covered,
            format!(
                "4 states by sequences of up to 3 calls, none leads to a new one; 12 calls were made, and states that compare \
                 as equal were explored once; states compared by: {text}"
            )
        );
        // Classical exploration adds to the state, and does not make it complete.
        let found = Explorer::new(&context).classical().max_length(4).explore().unwrap();
        assert_eq!(found.stop, Stop::Lossy, "{text}");
        // All sequences find the failure, and so does a comparison that loses less.
        let all = Campaign { which: Which::Bobw, length: Some(7), ..Campaign::default() };
        assert_eq!(all.run(&context, &Watch::default()).unwrap().stop(), Stop::FirstFailure);
        let less = Explorer::new(&context).last_calls(6).explore().unwrap();
        let calls = less.clusters.first().map(|cluster| cluster.first.test.len());
        assert_eq!((less.stop, calls), (Stop::FirstFailure, Some(7)), "{less}");
    }
    let context = rings(pool().linearized()).build().unwrap();
    let by_size = Explorer::new(&context).abstraction_by(|values, sink| {
        by_len(values.get::<Ring>(0).unwrap(), sink);
    });
    assert_eq!(by_size.explore().unwrap().compared_by.to_string(), "a function of the state (lossy)");
    let shape = Explorer::new(&context).abstraction(Abstraction::shape_and(["len"])).last_calls(1);
    let shape = shape.explore().unwrap().compared_by.to_string();
    assert_eq!(shape, "shape and len, and the last call (lossy)");
}

#[test]
fn what_the_author_vouches_for_is_exhaustive_and_says_so() {
    let pool = || Pool::<Ring>::empty(1);
    for (compared, by) in [
        (pool().debugged(), "the `Debug` text of `Ring`"),
        (pool().linearized_by(by_len), "a function of `Ring`"),
        (pool().linearized(), "the linearization of `Ring`, values without `Ring.head`"),
    ] {
        let context = rings(compared.vouched()).build().unwrap();
        let found = Explorer::new(&context).explore().unwrap();
        assert_eq!((found.stop, found.states), (Stop::Exhausted, 4), "{by}");
        assert_eq!(found.compared_by.to_string(), format!("{by} (vouched for)"));
        assert_eq!(found.compared_by.completeness, Completeness::Vouched);
    }
    // For the whole comparison.
    let context = rings(pool().hashed()).build().unwrap();
    let vouched = Campaign { length: Some(9), vouched: true, ..Campaign::default() };
    assert_eq!(
        vouched.run(&context, &Watch::default()).unwrap().covered(),
        "all sequences of calls, of any length: they lead to 4 states, and 12 calls were made; states compared by: the \
         `Hash` of `Ring` (vouched for)"
    );
}

#[test]
fn a_reference_implementation_is_part_of_the_comparison() {
    let ours = || Pool::<Ring>::empty(1).linearized().vouched();
    let context = rings(ours()).build().unwrap();
    let gold = rings(Pool::<Ring>::empty(1).hashed()).build().unwrap();
    let found = Explorer::new(&context).gold(&gold).explore().unwrap();
    assert_eq!(found.stop, Stop::Lossy);
    let text = "the linearization of `Ring`, the `Hash` of `Ring`, values without `Ring.head` (lossy)";
    assert_eq!(found.compared_by.to_string(), text);
}

#[test]
fn values_of_std_are_compared_completely() {
    let context = Context::builder()
        .pool(Pool::<Vec<Option<u8>>>::empty(1).named("v").cloned().debugged())
        .pool(Pool::of([0u8, 1]))
        .function("Vec::new", (), into(), |()| Vec::<Option<u8>>::new())
        .method("push", (by_mut::<Vec<Option<u8>>>(), value::<u8>()), nothing(), |(v, x)| v.push(Some(x)))
        .method("pop", (by_mut::<Vec<Option<u8>>>(),), optional(into::<u8>()), |(v,)| v.pop().flatten())
        .build()
        .unwrap();
    let found = Explorer::new(&context).max_length(4).explore().unwrap();
    assert_eq!(found.stop, Stop::Exhausted);
    assert_eq!(found.compared_by.to_string(), "all values (complete)");
}

/// With nothing but the last calls as a state, there are as many states as sequences of calls that can change
/// something, in every mode.
#[test]
fn the_last_calls_are_those_that_can_change_something() {
    let context = rings(Pool::<Ring>::empty(1).linearized()).build().unwrap();
    let modes: [Mode; 5] = [
        ("copied", |e| e),
        ("replayed", |e| e.replaying()),
        ("exact", |e| e.exact()),
        ("depth first", |e| e.depth_first()),
        ("threads", |e| e.threads(3)),
    ];
    for (mode, set) in modes {
        let explorer = set(Explorer::new(&context)).abstraction_by(|_, _| ());
        let found = explorer.last_calls(3).max_length(6).keep_going().explore().unwrap();
        // Push, pop and, since the pool is not frozen, len.
        assert_eq!(found.states, 1 + 3 + 9 + 27, "{mode}");
    }
    let frozen = rings(Pool::<Ring>::empty(1).linearized().frozen()).build().unwrap();
    for (mode, set) in modes {
        let explorer = set(Explorer::new(&frozen)).abstraction_by(|_, _| ());
        let found = explorer.last_calls(3).max_length(6).keep_going().explore().unwrap();
        assert_eq!(found.states, 1 + 2 + 4 + 8, "{mode}");
    }
}
