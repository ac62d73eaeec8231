//! Whether there is memory left to lay out bounds. This crate does not measure memory: its caller does.

use std::cell::RefCell;
use std::rc::Rc;

/// Says whether there is room for so many bytes.
type HasRoom = Rc<dyn Fn(u64) -> bool>;

thread_local! {
    static ROOM: RefCell<Option<HasRoom>> = const { RefCell::new(None) };
}

/// Asks `has_room` before bounds are laid out on this thread, as long as the result lives: with a number of bytes that the
/// layout takes in addition. If it says no, the layout ends with [`Error::TooLarge`](crate::Error::TooLarge).
pub fn limit(has_room: impl Fn(u64) -> bool + 'static) -> RoomGuard {
    RoomGuard { outer: ROOM.replace(Some(Rc::new(has_room))) }
}

/// Ends what [`limit`] has begun when it is dropped.
#[must_use = "the limit ends when this is dropped"]
pub struct RoomGuard {
    outer: Option<HasRoom>,
}

impl Drop for RoomGuard {
    fn drop(&mut self) {
        ROOM.replace(self.outer.take());
    }
}

/// Whether a layout may take so many bytes more.
pub(crate) fn is_left(bytes: u64) -> bool {
    let has_room = ROOM.with_borrow(Option::clone);
    has_room.is_none_or(|has_room| has_room(bytes))
}
