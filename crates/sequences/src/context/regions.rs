//! The code that the calls of a context cover, with the feature `cover`.

use super::Builder;
use smallscope_cover::{Covered, Region};

impl Builder {
    /// Adds the code of a type with `#[smallscope::cover]` to the code that calls cover.
    /// [`Campaign::cover`](crate::Campaign::cover) measures blocks and predicates of this code; without it there is
    /// nothing to measure. With the feature `cover`.
    ///
    /// ```
    /// use smallscope::sequences::{Campaign, Context, Cover, Linearize, Pool, Watch};
    ///
    /// #[derive(Clone, Linearize)]
    /// pub struct Recent(Vec<u8>);
    ///
    /// #[smallscope::api]
    /// #[smallscope::cover]
    /// impl Recent {
    ///     pub fn new() -> Self {
    ///         Recent(vec![])
    ///     }
    ///     pub fn push(&mut self, item: u8) {
    ///         if self.0.len() == 2 {
    ///             self.0.remove(0);
    ///         }
    ///         self.0.push(item);
    ///     }
    /// }
    ///
    /// let context = Context::builder()
    ///     .pool(Pool::<Recent>::empty(1).cloned().linearized())
    ///     .pool(Pool::of([7u8]))
    ///     .api::<Recent>()
    ///     .covers::<Recent>()
    ///     .build()?;
    /// let campaign = Campaign { length: Some(5), cover: Cover::Blocks, ..Campaign::default() };
    /// let found = campaign.run(&context, &Watch::default())?;
    /// assert_eq!(found.coverage().unwrap().in_numbers(), "3 of 3 blocks");
    /// assert_eq!(found.suite().longest(), 4);
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn covers<T: Covered>(mut self) -> Builder {
        self.regions.extend(T::regions());
        self
    }

    /// Adds a region with a name: `#[smallscope::cover(static NAME)]` on a function, or on a further impl block of a
    /// type.
    ///
    /// ```
    /// use smallscope::sequences::{Context, Pool, into, value};
    ///
    /// #[smallscope::cover(static HALF)]
    /// fn half(x: u8) -> u8 {
    ///     if x % 2 == 0 { x / 2 } else { x }
    /// }
    ///
    /// let context = Context::builder()
    ///     .pool(Pool::of([4u8, 5]))
    ///     .function("half", (value::<u8>(),), into(), |(x,)| half(x))
    ///     .covers_region(&HALF)
    ///     .build()?;
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn covers_region(mut self, region: &'static Region) -> Builder {
        self.regions.push(region);
        self
    }
}
