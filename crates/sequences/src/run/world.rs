//! The values of a running test, and next to them those of the reference implementation, if there is one.

use crate::context::{Attention, Context, Store};

pub(crate) struct World {
    pub store: Store,
    pub gold: Option<Store>,
}

impl World {
    pub(super) fn new(context: &Context, gold: Option<&Context>) -> World {
        let mut world = World { store: context.store(), gold: gold.map(Context::store) };
        if let Some(gold) = gold {
            world.exclude(context, gold);
        }
        world.attend(false);
        world
    }

    /// Leaves the values of types that differ uncompared.
    fn exclude(&mut self, context: &Context, gold: &Context) {
        for (ours, theirs) in context.methods.iter().zip(&gold.methods) {
            let (Some(our), Some(their)) = (ours.result, theirs.result) else { continue };
            if context.pools[our as usize].type_id != gold.pools[their as usize].type_id {
                self.store.incomparable.push(our);
                self.gold.iter_mut().for_each(|gold| gold.incomparable.push(their));
            }
        }
    }

    /// Whether results are kept in words.
    pub(super) fn attend(&mut self, texts: bool) {
        let attention = Attention { results: self.gold.is_some(), texts };
        self.stores().for_each(|store| store.attention = attention);
    }

    /// Initial values again, where something has changed.
    pub(crate) fn reset(&mut self) {
        self.stores().for_each(Store::reset);
    }

    /// No values, where something has changed.
    pub(crate) fn clear(&mut self) {
        self.stores().for_each(Store::clear);
    }

    /// The values of another world, where something has changed.
    pub(crate) fn restore(&mut self, from: &World) {
        self.store.restore(&from.store);
        if let (Some(gold), Some(from)) = (&mut self.gold, &from.gold) {
            gold.restore(from);
        }
    }

    /// Calls everything changed.
    pub(crate) fn mark_all(&mut self) {
        self.stores().for_each(|store| store.mark_all(true));
    }

    /// Whether anything has changed since it was restored.
    pub(crate) fn is_dirty(&self) -> bool {
        self.store.is_dirty() || self.gold.as_ref().is_some_and(Store::is_dirty)
    }

    fn stores(&mut self) -> impl Iterator<Item = &mut Store> {
        std::iter::once(&mut self.store).chain(&mut self.gold)
    }
}
