//! A small search tree with methods of all kinds, and its context.
#![allow(dead_code, reason = "each test uses a part of it")]

use smallscope_sequences::{
    Builder, Context, Pool, by_mut, by_ref, fallible, into, nothing, optional, seen, value,
};

pub mod tree;

pub use tree::{Node, Tree};

smallscope_sequences::linearize_fields!(Node { key, value, left, right });
smallscope_sequences::linearize_fields!(Tree { root, size });

pub fn pools(trees: usize, keys: &[i32]) -> Builder {
    Context::builder()
        .pool(
            Pool::<Tree>::empty(trees)
                .named("t")
                .cloned()
                .shown()
                .linearized()
                .frozen()
                .invariant(Tree::rep_ok),
        )
        .pool(Pool::of(keys.iter().copied()))
}

/// The usual methods of a map.
pub fn map(trees: usize, keys: &[i32]) -> Builder {
    pools(trees, keys)
        .function("Tree::new", (), into(), |()| Tree::new())
        .method("insert", (by_mut::<Tree>(), value::<i32>(), value::<i32>()), seen(), |(t, k, v)| {
            t.insert(k, v)
        })
        .method("remove", (by_mut::<Tree>(), value::<i32>()), seen(), |(t, k)| t.remove(k))
}

/// Methods of every kind.
pub fn everything(trees: usize, keys: &[i32]) -> Builder {
    map(trees, keys)
        .method("get", (by_ref::<Tree>(), value::<i32>()), optional(into::<i32>()), |(t, k)| t.get(k))
        .method("try_get", (by_ref::<Tree>(), value::<i32>()), fallible(into::<i32>()), |(t, k)| t.try_get(k))
        .method("first", (by_ref::<Tree>(),), into::<i32>(), |(t,)| t.first())
        .method("merge", (by_mut::<Tree>(), by_ref::<Tree>()), nothing(), |(t, other)| t.merge(other))
        .method("clone", (by_ref::<Tree>(),), into::<Tree>(), |(t,)| t.clone())
        .method("into_size", (smallscope_sequences::moved::<Tree>(),), into::<i32>(), |(t,)| t.into_size())
        .function("double", (by_mut::<i32>(),), nothing(), |(x,)| *x = x.wrapping_mul(2))
        .written("{0} = {0}.wrapping_mul(2)")
}
