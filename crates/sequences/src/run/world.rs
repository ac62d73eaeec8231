//! The values of a running test, and those of the reference implementation, if there is one.

use crate::context::{Attention, Context, Values};

pub(crate) struct World {
    pub values: Values,
    pub gold: Option<Values>,
}

impl World {
    pub(super) fn new(context: &Context, gold: Option<&Context>) -> World {
        let mut world = World { values: context.initial_values(), gold: gold.map(Context::initial_values) };
        if let Some(gold) = gold {
            world.exclude(context, gold);
        }
        world.attend(false);
        world
    }

    /// Excludes values whose type differs in the reference implementation from comparison.
    fn exclude(&mut self, context: &Context, gold: &Context) {
        for (ours, theirs) in context.methods.iter().zip(&gold.methods) {
            let (Some(our), Some(their)) = (ours.result, theirs.result) else { continue };
            if context.pools[our as usize].type_id != gold.pools[their as usize].type_id {
                self.values.incomparable.push(our);
                self.gold.iter_mut().for_each(|gold| gold.incomparable.push(their));
            }
        }
    }

    /// Sets whether results are kept as texts.
    pub(super) fn attend(&mut self, texts: bool) {
        let attention = Attention { results: self.gold.is_some(), texts };
        self.values.attention = attention;
        if let Some(gold) = &mut self.gold {
            gold.attention = attention;
        }
    }

    /// Restores the initial values of all pools that have changed.
    pub(crate) fn reset(&mut self) {
        self.values.reset();
        if let Some(gold) = &mut self.gold {
            gold.reset();
        }
    }

    /// Empties all pools that have changed.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        if let Some(gold) = &mut self.gold {
            gold.clear();
        }
    }

    /// Copies the values of another world into all pools that have changed.
    pub(crate) fn restore(&mut self, from: &World) {
        self.values.restore(&from.values);
        if let (Some(gold), Some(from)) = (&mut self.gold, &from.gold) {
            gold.restore(from);
        }
    }

    /// Marks all pools as changed.
    pub(crate) fn mark_all(&mut self) {
        self.values.mark_all();
        if let Some(gold) = &mut self.gold {
            gold.mark_all();
        }
    }

    /// Whether anything has changed since it was restored.
    pub(crate) fn is_dirty(&self) -> bool {
        match &self.gold {
            Some(gold) => self.values.is_dirty() || gold.is_dirty(),
            None => self.values.is_dirty(),
        }
    }
}
