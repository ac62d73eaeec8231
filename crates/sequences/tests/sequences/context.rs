//! Contexts: counting calls, calling, and what can be wrong with them.

use crate::common::{Tree, everything, map, pools};
use smallscope_sequences::{
    BigUint, Context, Error, Pool, Reply, Test, by_mut, by_ref, into, moved, nothing, seen, value,
};

#[test]
fn calls_are_counted_as_products_of_pool_sizes() {
    let context = everything(2, &[1, 2, 3]).build().unwrap();
    let counts: Vec<_> = context.methods().map(|m| context.calls_of(m).unwrap()).collect();
    // new: 2; insert: 3 * 3 * 2; remove: 3 * 2; get and try_get: 3 * 2 * 3; first: 2 * 3; merge: 2 * 2; clone: 2 * 2;
    // into_size: 2 * 3; double: 3.
    assert_eq!(counts, [2, 18, 6, 18, 18, 6, 4, 4, 6, 3]);
    assert_eq!(context.calls(), 85);
    assert_eq!(context.tests(3), BigUint::from(85u32 * 85 * 85));
}

#[test]
fn the_first_argument_varies_fastest_then_the_receiver_then_the_result() {
    let context = everything(2, &[1, 2, 3]).build().unwrap();
    let first = 2 + 18 + 6;
    let texts: Vec<_> = (first..first + 8).map(|call| context.canonical_call(call)).collect();
    assert_eq!(
        texts,
        [
            "i32_[0] = t[0].get(i32_[0])",
            "i32_[0] = t[0].get(i32_[1])",
            "i32_[0] = t[0].get(i32_[2])",
            "i32_[0] = t[1].get(i32_[0])",
            "i32_[0] = t[1].get(i32_[1])",
            "i32_[0] = t[1].get(i32_[2])",
            "i32_[1] = t[0].get(i32_[0])",
            "i32_[1] = t[0].get(i32_[1])",
        ]
    );
}

#[test]
fn every_call_is_read_as_it_is_written() {
    let context = everything(2, &[1, 2, 3]).build().unwrap();
    let all = Test::new(&context, 0..85).unwrap();
    assert_eq!(Test::parse(&context, &all.to_canonical(&context)).unwrap(), all);
    let index = context.index_of(&all);
    assert_eq!(context.test_at(85, &index).unwrap(), all);
}

#[test]
fn results_go_into_pools_and_calls_without_values_are_skipped() {
    let context = everything(2, &[1, 2, 3]).build().unwrap();
    let mut values = context.initial_values();
    let mut run = |text: &str| {
        let test = Test::parse(&context, text).unwrap();
        let reply = context.call(test.calls()[0], &mut values);
        (reply, values.get::<i32>(0).copied(), values.get::<Tree>(0).map(Tree::len))
    };
    assert_eq!(run("t[0].insert(i32_[0], i32_[2])"), (Reply::Skipped, Some(1), None));
    assert_eq!(run("t[0] = Tree::new()"), (Reply::Stored, Some(1), Some(0)));
    assert_eq!(run("t[0].insert(i32_[0], i32_[2])"), (Reply::Returned, Some(1), Some(1)));
    assert_eq!(run("i32_[0] = t[0].get(i32_[1])"), (Reply::Returned, Some(1), Some(1)));
    assert_eq!(run("i32_[0] = t[0].try_get(i32_[1])"), (Reply::Failed, Some(1), Some(1)));
    assert_eq!(run("i32_[0] = t[0].get(i32_[0])"), (Reply::Stored, Some(3), Some(1)));
    // The receiver would have to be borrowed twice.
    assert_eq!(run("t[0].merge(t[0])"), (Reply::Skipped, Some(3), Some(1)));
    assert_eq!(run("t[1] = t[0].clone()"), (Reply::Stored, Some(3), Some(1)));
    assert_eq!(run("t[0].merge(t[1])"), (Reply::Returned, Some(3), Some(1)));
    assert_eq!(run("double(i32_[0])"), (Reply::Returned, Some(6), Some(1)));
    assert_eq!(run("i32_[0] = t[0].into_size()"), (Reply::Stored, Some(1), None));
    assert_eq!(run("i32_[0] = t[0].into_size()"), (Reply::Skipped, Some(1), None));
}

#[test]
fn a_panic_is_a_reply_and_the_receiver_is_still_there() {
    let context = everything(1, &[1]).build().unwrap();
    let mut values = context.initial_values();
    let test = Test::parse(&context, "t[0] = Tree::new(); i32_[0] = t[0].first()").unwrap();
    let replies: Vec<_> = test.calls().iter().map(|call| context.call(*call, &mut values)).collect();
    assert_eq!(replies, [Reply::Stored, Reply::Panicked]);
    assert!(values.get::<Tree>(0).is_some());
}

#[test]
fn values_that_cannot_be_cloned_move() {
    struct Token;
    let context = Context::builder()
        .pool(Pool::<Token>::empty(1))
        .pool(Pool::of([0u8]))
        .function("Token", (), into(), |()| Token)
        .function("drop", (moved::<Token>(),), nothing(), |(Token,)| ())
        .build()
        .unwrap();
    let mut values = context.initial_values();
    let replies: Vec<_> = [0, 1, 1, 0].map(|call| context.call(call, &mut values)).into();
    assert_eq!(replies, [Reply::Stored, Reply::Returned, Reply::Skipped, Reply::Stored]);
}

fn error(builder: smallscope_sequences::Builder) -> String {
    builder.build().unwrap_err().to_string()
}

#[test]
fn mistakes_are_named() {
    assert_eq!(
        error(pools(0, &[1])),
        "the pool for `Tree` has no slots, so no call can use it; give it a size of at least 1"
    );
    assert_eq!(
        error(pools(1, &[1]).function("f", (value::<u16>(),), nothing(), |_| ())),
        "`f` takes `u16`, which has no pool; add one with values, `.pool(Pool::of([..]))`, or one that calls fill, `.pool(Pool::<u16>::empty(1))`, or leave the call out (there are \
         pools for `Tree`, `i32`)"
    );
    assert_eq!(
        error(pools(1, &[1]).function("f", (), into::<String>(), |_| String::new())),
        "`f` returns `String`, which has no pool; add one with values, `.pool(Pool::of([..]))`, or one that calls fill, `.pool(Pool::<String>::empty(1))`, or leave the call out (there \
         are pools for `Tree`, `i32`)"
    );
    assert_eq!(
        error(pools(1, &[1]).method("clone", (by_ref::<Tree>(),), into::<Tree>(), |(t,)| t.clone()).method(
            "remove",
            (by_mut::<Tree>(), value::<i32>()),
            seen(),
            |(t, k)| t.remove(k)
        )),
        "there is no way to construct `Tree`, which `clone`, `remove` take: add a call that returns it, or initial \
         values to its pool"
    );
    assert_eq!(
        error(map(1, &[1]).pool(Pool::of([3]))),
        "there are two pools for `i32`; make it one pool with more slots"
    );
    assert_eq!(error(pools(1, &[1])), "there is nothing to call; add functions or methods");
    assert_eq!(
        error(map(1, &[1]).function("remove", (), nothing(), |_| ())),
        "there are two calls `remove`; give one of them another name"
    );
    assert_eq!(
        error(Context::builder().pool(Pool::of([1, 2, 3]).size(2))),
        "the pool for `i32` has 2 slots but 3 initial values; make it larger or leave some values out"
    );
    let huge = Context::builder().pool(Pool::of([0u8]).size(70_000)).function(
        "f",
        (value::<u8>(), value::<u8>()),
        nothing(),
        |_| (),
    );
    assert_eq!(error(huge), "there are more than 4294967295 distinct calls; make pools smaller");
    assert_eq!(
        error(map(1, &[1]).method("f", (), nothing(), |_| ())),
        "the method `f` has no receiver; add one as its first argument, or make it a function"
    );
}

#[test]
fn indices_out_of_range_are_errors() {
    let context = map(1, &[1, 2]).build().unwrap();
    assert_eq!(context.calls(), 7);
    assert_eq!(
        context.test_at(2, &BigUint::from(49u8)).unwrap_err().to_string(),
        "there is no test 49: tests of length 2 are numbered from 0 to 49 - 1"
    );
    assert_eq!(Test::new(&context, [7]).unwrap_err(), Error::CallOutOfRange { call: 7, calls: 7 });
    assert_eq!(
        Test::parse(&context, "t[1] = Tree::new()").unwrap_err().to_string(),
        "cannot read `t[1]`: expected a place from `t[0]` to `t[0]`"
    );
    assert_eq!(
        Test::parse(&context, "t[0].insert(i32_[0])").unwrap_err().to_string(),
        "cannot read `t[0].insert(i32_[0])`: expected a call like `t[0].insert(i32_[0], i32_[0])`"
    );
    assert_eq!(
        Test::parse(&context, "t[0].push(i32_[0])").unwrap_err().to_string(),
        "cannot read `push`: expected one of Tree::new, insert, remove"
    );
}

#[test]
fn more_calls_than_fit_a_table_are_computed() {
    let context = Context::builder()
        .pool(Pool::of(0..1000u32))
        .function("add", (value::<u32>(), value::<u32>()), into(), |(a, b)| a.wrapping_add(b))
        .build()
        .unwrap();
    assert_eq!(context.calls(), 1_000_000_000);
    assert_eq!(context.canonical_call(123_456_789), "u32_[123] = add(u32_[789], u32_[456])");
    let mut values = context.initial_values();
    assert_eq!(context.call(123_456_789, &mut values), Reply::Stored);
    assert_eq!(values.get::<u32>(123), Some(&(789 + 456)));
}

#[test]
fn what_is_not_passed_after_all_stays_in_its_pool() {
    let context = pools(1, &[1])
        .function("Tree::new", (), into(), |()| Tree::new())
        .function("join", (moved::<Tree>(), by_ref::<Tree>()), nothing(), |_| ())
        .build()
        .unwrap();
    let mut values = context.initial_values();
    assert_eq!([0, 1].map(|call| context.call(call, &mut values)), [Reply::Stored, Reply::Skipped]);
    assert!(values.get::<Tree>(0).is_some());
}
