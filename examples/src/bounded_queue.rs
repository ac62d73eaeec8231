//! A queue in a ring buffer, tested through its methods next to a `VecDeque`.

/// A queue of at most `capacity` numbers.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(smallscope::sequences::Linearize))]
pub struct BoundedQueue {
    slots: Vec<Option<u8>>,
    first: usize,
    length: usize,
}

#[cfg_attr(test, smallscope::api)]
impl BoundedQueue {
    /// An empty queue.
    pub fn new(capacity: u8) -> Self {
        BoundedQueue { slots: vec![None; usize::from(capacity)], first: 0, length: 0 }
    }

    /// Adds an item at the end. Returns whether there was room.
    pub fn push(&mut self, item: u8) -> bool {
        let is_free = self.length < self.slots.len();
        if is_free {
            let place = (self.first + self.length) % self.slots.len();
            self.slots[place] = Some(item);
            self.length += 1;
        }
        is_free
    }

    /// Removes the first item.
    pub fn pop(&mut self) -> Option<u8> {
        let item = self.slots.get_mut(self.first)?.take()?;
        self.first = (self.first + 1) % self.slots.len();
        self.length -= 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope::sequences::{Builder, Context, Linearize, Pool};
    use std::collections::VecDeque;

    /// The reference implementation, with the same methods.
    #[derive(Debug, Clone, Linearize)]
    pub struct Model {
        items: VecDeque<u8>,
        capacity: u8,
    }

    #[smallscope::api]
    impl Model {
        pub fn new(capacity: u8) -> Self {
            Model { items: VecDeque::new(), capacity }
        }

        pub fn push(&mut self, item: u8) -> bool {
            let is_free = self.items.len() < usize::from(self.capacity);
            if is_free {
                self.items.push_back(item);
            }
            is_free
        }

        pub fn pop(&mut self) -> Option<u8> {
            self.items.pop_front()
        }
    }

    /// Every sequence of up to 10 calls with the numbers 0 to 2 that leads to a new state.
    #[smallscope::sequences(length = 10)]
    fn the_queue_does_what_the_model_does() -> Builder {
        let model = Context::builder()
            .pool(Pool::<Model>::empty(1).cloned().linearized().shown())
            .pool(Pool::of([0u8, 1, 2]))
            .api::<Model>();
        Context::builder()
            .pool(Pool::<BoundedQueue>::empty(1).cloned().linearized().shown())
            .pool(Pool::of([0u8, 1, 2]))
            .api::<BoundedQueue>()
            .gold(model)
    }
}
