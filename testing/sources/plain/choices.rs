//! The brute force: every sequence of choices, one after the other. A generated function builds a value from choices, as
//! nested loops would; a choice that cannot be made ends the attempt.
//!
//! Objects are numbered in the order of their creation, so values that differ only in the names of objects are built
//! once. Objects behind pointers that may be shared are leaked: a half-built cycle is never dropped.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::sync::Arc;

/// The default alphabet.
pub const LETTERS: &str = "abé \"\\\ncdefghijklmnopqrstuvwxyz";

/// What was chosen, and how many choices there were.
#[derive(Debug, Clone, Copy)]
struct Choice {
    taken: usize,
    of: usize,
}

/// Objects of one type, in the order of their creation.
#[derive(Default)]
struct Pool {
    /// Those that a weak or raw pointer has named, even if they are not created yet, too.
    allocated: Vec<Box<dyn Any>>,
    created: usize,
}

/// The choices of one value.
pub struct Choices {
    scope: usize,
    path: Vec<Choice>,
    at: usize,
    /// By the name of the type, and by the type of handles: pointers of different kinds never lead to the same object.
    pools: BTreeMap<(&'static str, TypeId), Pool>,
    /// The number of places in the arena.
    places: usize,
    /// The invariant of a part does not hold.
    is_broken: bool,
}

/// Calls a function with all sequences of choices, or until there are more than `limit`. Returns whether these were all.
pub fn every(scope: usize, limit: usize, mut attempt: impl FnMut(&mut Choices)) -> bool {
    let mut choices = Choices { scope, path: vec![], at: 0, pools: BTreeMap::new(), places: 0, is_broken: false };
    for _ in 0..limit {
        choices.at = 0;
        choices.pools.clear();
        choices.is_broken = false;
        attempt(&mut choices);
        choices.path.truncate(choices.at);
        while choices.path.last().is_some_and(|choice| choice.taken + 1 == choice.of) {
            choices.path.pop();
        }
        match choices.path.last_mut() {
            Some(last) => last.taken += 1,
            None => return true,
        }
    }
    false
}

impl Choices {
    /// A number below `of`, or nothing if there is none.
    pub fn pick(&mut self, of: usize) -> Option<usize> {
        if of == 0 {
            return None;
        }
        if self.at == self.path.len() {
            self.path.push(Choice { taken: 0, of });
        }
        let choice = self.path[self.at];
        assert_eq!(choice.of, of, "the same choices lead to the same questions");
        self.at += 1;
        Some(choice.taken)
    }

    pub fn flag(&mut self) -> Option<bool> {
        Some(self.pick(2)? == 1)
    }

    /// Data without bounds: 0 to n - 1.
    pub fn data(&mut self) -> Option<i64> {
        Some(self.pick(self.scope.max(1))? as i64)
    }

    /// A `usize` or a length without bounds: 0 to n.
    pub fn size(&mut self) -> Option<usize> {
        self.pick(self.scope + 1)
    }

    pub fn within(&mut self, low: i64, high: i64) -> Option<i64> {
        Some(low + self.pick((high - low + 1).max(0) as usize)? as i64)
    }

    pub fn one_of(&mut self, list: &[i64]) -> Option<i64> {
        Some(list[self.pick(list.len())?])
    }

    pub fn letter(&mut self) -> Option<char> {
        self.letter_of(&LETTERS.chars().take(self.scope.max(1)).collect::<String>())
    }

    pub fn letter_of(&mut self, alphabet: &str) -> Option<char> {
        let letters: Vec<char> = alphabet.chars().collect();
        Some(letters[self.pick(letters.len())?])
    }

    pub fn scope(&self) -> usize {
        self.scope
    }

    /// Uses up an object of a type; nothing if there is none left.
    pub fn take(&mut self, pool: &'static str, limit: usize) -> Option<usize> {
        self.take_as::<()>(pool, limit)
    }

    fn take_as<H: 'static>(&mut self, pool: &'static str, limit: usize) -> Option<usize> {
        if self.total(pool) >= limit {
            return None;
        }
        let pool = self.pools.entry((pool, TypeId::of::<H>())).or_default();
        pool.created += 1;
        Some(pool.created - 1)
    }

    /// The objects of a type, whatever owns them.
    fn total(&self, pool: &'static str) -> usize {
        self.pools.iter().filter(|((name, _), _)| *name == pool).map(|(_, pool)| pool.created).sum()
    }

    /// Whether every object that a weak or raw pointer leads to was created.
    pub fn is_complete(&self) -> bool {
        self.pools.values().all(|pool| pool.allocated.len() <= pool.created)
    }

    /// An object that exists, or the next one. True if it is the next one.
    fn shared<H: 'static>(&mut self, pool: &'static str, limit: usize) -> Option<(usize, bool)> {
        let kind = TypeId::of::<H>();
        let can_be_new = self.total(pool) < limit;
        let created = self.pools.entry((pool, kind)).or_default().created;
        let number = self.pick(created + usize::from(can_be_new))?;
        self.pools.entry((pool, kind)).or_default().created = created.max(number + 1);
        Some((number, number == created))
    }

    /// The handle of an object, which is allocated if it is named for the first time.
    fn handle<H: Clone + 'static>(&mut self, pool: &'static str, number: usize, new: fn() -> H) -> H {
        let pool = self.pools.entry((pool, TypeId::of::<H>())).or_default();
        while pool.allocated.len() <= number {
            let handle = new();
            // Never freed, since it may never be filled.
            std::mem::forget(handle.clone());
            pool.allocated.push(Box::new(handle));
        }
        pool.allocated[number].downcast_ref::<H>().expect("a pool has one type of handles").clone()
    }

    pub fn rc<T: 'static>(&mut self, pool: &'static str, limit: usize, fill: Fill<T>) -> Option<Rc<T>> {
        let (number, is_new) = self.shared::<Rc<MaybeUninit<T>>>(pool, limit)?;
        let handle = self.handle(pool, number, Rc::<T>::new_uninit);
        if is_new {
            let value = fill(self)?;
            // SAFETY: the object is allocated, and nothing reads it before the whole value is built.
            unsafe { Rc::as_ptr(&handle).cast_mut().cast::<T>().write(value) };
        }
        // SAFETY: it is filled before anything reads it, and never freed.
        Some(unsafe { handle.assume_init() })
    }

    pub fn arc<T: 'static>(&mut self, pool: &'static str, limit: usize, fill: Fill<T>) -> Option<Arc<T>> {
        let (number, is_new) = self.shared::<Arc<MaybeUninit<T>>>(pool, limit)?;
        let handle = self.handle(pool, number, Arc::<T>::new_uninit);
        if is_new {
            let value = fill(self)?;
            // SAFETY: as for `Rc`.
            unsafe { Arc::as_ptr(&handle).cast_mut().cast::<T>().write(value) };
        }
        // SAFETY: as for `Rc`.
        Some(unsafe { handle.assume_init() })
    }

    /// Dangling, or to any object of the pool, if that exists in the end.
    pub fn rc_weak<T: 'static>(&mut self, pool: &'static str, limit: usize) -> Option<std::rc::Weak<T>> {
        let Some(number) = self.pick(limit + 1)?.checked_sub(1) else { return Some(std::rc::Weak::new()) };
        let handle = self.handle(pool, number, Rc::<T>::new_uninit);
        // SAFETY: as for `Rc`.
        Some(Rc::downgrade(&unsafe { handle.assume_init() }))
    }

    /// The same for `Arc`.
    pub fn arc_weak<T: 'static>(&mut self, pool: &'static str, limit: usize) -> Option<std::sync::Weak<T>> {
        let Some(number) = self.pick(limit + 1)?.checked_sub(1) else { return Some(std::sync::Weak::new()) };
        let handle = self.handle(pool, number, Arc::<T>::new_uninit);
        // SAFETY: as for `Rc`.
        Some(Arc::downgrade(&unsafe { handle.assume_init() }))
    }

    /// A raw pointer that is the only kind of pointer to its type: to an object that exists, or to the next one.
    pub fn raw<T: 'static>(&mut self, pool: &'static str, limit: usize, fill: Fill<T>) -> Option<*mut T> {
        let (number, is_new) = self.shared::<*mut T>(pool, limit)?;
        let pointer = self.handle(pool, number, allocate::<T>);
        if is_new {
            let value = fill(self)?;
            // SAFETY: the object is allocated, and nothing reads it before the whole value is built.
            unsafe { pointer.write(value) };
        }
        Some(pointer)
    }

    /// A box to whose object raw pointers may lead.
    pub fn boxed<T: 'static>(&mut self, pool: &'static str, limit: usize, fill: Fill<T>) -> Option<Box<T>> {
        let number = self.take_as::<*mut T>(pool, limit)?;
        let pointer = self.handle(pool, number, allocate::<T>);
        let value = fill(self)?;
        // SAFETY: it was allocated as a box, is filled here, and no other box is made of it.
        unsafe {
            pointer.write(value);
            Some(Box::from_raw(pointer))
        }
    }

    /// A raw pointer beside boxes: null, or to any object of the pool, if that exists in the end.
    pub fn raw_weak<T: 'static>(&mut self, pool: &'static str, limit: usize) -> Option<*mut T> {
        match self.pick(limit + 1)?.checked_sub(1) {
            Some(number) => Some(self.handle(pool, number, allocate::<T>)),
            None => Some(std::ptr::null_mut()),
        }
    }

    /// Notes whether the invariant of a part does not hold.
    pub fn set_broken(&mut self, is_broken: bool) {
        self.is_broken = is_broken;
    }

    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Sets the length of the arena, before the values in it are built.
    pub fn set_places(&mut self, places: usize) {
        self.places = places;
    }

    pub fn place(&mut self) -> Option<usize> {
        self.pick(self.places)
    }

    pub fn maybe_place(&mut self) -> Option<Option<usize>> {
        Some(self.pick(self.places + 1)?.checked_sub(1))
    }
}

/// Builds one object.
pub type Fill<T> = fn(&mut Choices) -> Option<T>;

fn allocate<T>() -> *mut T {
    Box::into_raw(Box::new(MaybeUninit::<T>::uninit())).cast()
}
