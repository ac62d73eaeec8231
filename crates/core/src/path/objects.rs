//! The objects in use, by pool: the part of a pool that changes with the path.

use crate::ids::{ObjectId, PoolId};
use crate::layout::{Layout, Need};

/// What is in use of every pool.
#[derive(Default)]
pub(crate) struct Objects {
    pools: Vec<InUse>,
    /// Some pool is counted together with others.
    is_shared: bool,
    /// What is left of the size of the whole value, if that is bounded.
    left: Option<Left>,
}

/// What is left of the size of the whole value. Every pool has at most as many free objects.
struct Left {
    /// How many objects and elements can be taken or promised.
    left: u32,
    /// The size of each pool, if there were no bound on the whole.
    caps: Vec<u32>,
}

/// What is in use of one pool.
pub(crate) struct InUse {
    /// How many objects there are, besides those that other kinds of owners of the same type have taken or were promised.
    pub size: u32,
    /// The pools of these.
    siblings: Box<[PoolId]>,
    /// How many are in use: those with the lowest numbers.
    pub used: u32,
    /// Objects promised to mandatory pointers that are not open yet.
    pub reserved: u32,
    /// Mandatory pointers that are not open yet and whose promise a raw pointer has used up.
    pub borrowed: u32,
    /// Owning references per object.
    pub owners: Vec<u32>,
    /// Objects in use without an owner.
    pub unowned: u32,
    /// How often each object of an arena is referred to by index or read by position.
    pub touched: Vec<u32>,
}

impl InUse {
    /// Objects that are neither used nor promised.
    pub fn free(&self) -> u32 {
        self.size - self.used - self.reserved
    }

    /// How many objects of a need count together with those of this pool, of which it has so many.
    fn needed_together(&self, n: u32, need: &Need) -> u32 {
        let others = need.iter().filter(|(other, _)| self.siblings.contains(other));
        others.fold(n, |sum, &(_, n)| sum.saturating_add(n))
    }

    /// Adds an owner of an object.
    pub fn own(&mut self, object: ObjectId) {
        let owners = &mut self.owners[object.index()];
        *owners += 1;
        if *owners == 1 {
            self.unowned -= 1;
        }
    }

    /// Removes an owner of an object.
    pub fn disown(&mut self, object: ObjectId) {
        let owners = &mut self.owners[object.index()];
        *owners -= 1;
        if *owners == 0 {
            self.unowned += 1;
        }
    }
}

impl Left {
    /// Whether there is room for all that is needed, for each of several elements.
    fn has_room(&self, need: &Need, elements: u32) -> bool {
        let all = need.iter().fold(0u32, |sum, &(_, n)| sum.saturating_add(n));
        all.saturating_mul(elements) <= self.left
    }
}

impl Objects {
    /// Nothing is in use, and what every value needs is reserved.
    pub fn new(layout: &Layout) -> Objects {
        let (mut promised, mut caps, mut is_shared) = (0, vec![], layout.total.is_some());
        for pool in &layout.pools {
            let mut cap = pool.size;
            for &other in &pool.siblings {
                cap -= layout.pool(other).mandatory;
                is_shared = true;
            }
            promised += pool.mandatory;
            caps.push(cap);
        }
        let left = layout.total.as_ref().map(|total| total.size - promised);
        let mut pools = vec![];
        for (pool, &cap) in layout.pools.iter().zip(&caps) {
            pools.push(InUse {
                size: left.map_or(cap, |left| cap.min(pool.mandatory + left)),
                siblings: pool.siblings.clone(),
                used: 0,
                reserved: pool.mandatory,
                borrowed: 0,
                owners: vec![0; pool.size as usize],
                unowned: 0,
                touched: vec![0; pool.size as usize],
            });
        }
        Objects { pools, is_shared, left: left.map(|left| Left { left, caps }) }
    }

    #[inline]
    pub fn pool(&self, pool: PoolId) -> &InUse {
        &self.pools[pool.index()]
    }

    #[inline]
    pub fn pool_mut(&mut self, pool: PoolId) -> &mut InUse {
        &mut self.pools[pool.index()]
    }

    pub fn pools(&self) -> &[InUse] {
        &self.pools
    }

    /// How many objects of a type are in use, by all kinds of owners.
    pub fn used_together(&self, pool: PoolId) -> u32 {
        let pool = self.pool(pool);
        pool.used + pool.siblings.iter().map(|&other| self.pool(other).used).sum::<u32>()
    }

    /// How many objects and elements a value has, which is complete.
    pub fn total(&self, layout: &Layout) -> Option<u32> {
        Some(layout.total.as_ref()?.size - self.left.as_ref()?.left)
    }

    /// How many objects and elements can be taken or promised, if the size of the whole value is bounded.
    pub fn left(&self) -> Option<u32> {
        self.left.as_ref().map(|left| left.left)
    }

    /// Whether so many objects can be taken without breaking a promise.
    #[inline]
    pub fn has_room(&self, need: &Need) -> bool {
        if self.is_shared {
            return self.has_shared_room(need, 1);
        }
        need.iter().all(|&(id, n)| self.pool(id).free() >= n)
    }

    /// Whether that is so for each of several elements.
    pub fn has_room_for(&self, need: &Need, elements: u32) -> bool {
        if self.is_shared {
            return self.has_shared_room(need, elements);
        }
        need.iter().all(|&(id, n)| self.pool(id).free() >= n.saturating_mul(elements))
    }

    /// Whether that is so if some pools are counted together.
    #[inline(never)]
    fn has_shared_room(&self, need: &Need, elements: u32) -> bool {
        let has_room = need.iter().all(|&(id, n)| {
            let pool = self.pool(id);
            pool.free() >= pool.needed_together(n, need).saturating_mul(elements)
        });
        has_room && self.left.as_ref().is_none_or(|left| left.has_room(need, elements))
    }

    /// Notes that a pool has more objects in use or promised, so that those that are counted with it have fewer.
    #[inline]
    pub fn claim(&mut self, pool: PoolId, n: u32) {
        if self.is_shared {
            self.resize_others(pool, |size| size - n);
        }
    }

    /// Undoes [`Objects::claim`].
    #[inline]
    pub fn unclaim(&mut self, pool: PoolId, n: u32) {
        if self.is_shared {
            self.resize_others(pool, |size| size + n);
        }
    }

    /// Gives the pools that are counted together with one another size. That of the pool itself stays: what it takes is
    /// in use or promised, and missing in what is left.
    #[inline(never)]
    fn resize_others(&mut self, pool: PoolId, resize: impl Fn(u32) -> u32) {
        for i in 0..self.pool(pool).siblings.len() {
            let sibling = self.pool(pool).siblings[i];
            let size = match &mut self.left {
                Some(left) => &mut left.caps[sibling.index()],
                None => &mut self.pools[sibling.index()].size,
            };
            *size = resize(*size);
        }
        let Some(Left { left, caps }) = &mut self.left else { return };
        *left = resize(*left);
        for (i, (other, cap)) in self.pools.iter_mut().zip(caps).enumerate() {
            if i != pool.index() {
                other.size = (*cap).min(other.used + other.reserved + *left);
            }
        }
    }

    /// Promises objects of a pool, or takes promises back.
    #[inline]
    fn promise(&mut self, pool: PoolId, n: u32, reserve: bool) {
        let reserved = &mut self.pool_mut(pool).reserved;
        if reserve {
            *reserved += n;
            self.claim(pool, n);
        } else {
            *reserved -= n;
            self.unclaim(pool, n);
        }
    }

    /// Reserves objects, or gives them back.
    pub fn reserve(&mut self, need: &Need, reserve: bool) {
        for &(pool, n) in need {
            self.promise(pool, n, reserve);
        }
    }

    /// Reserves, or gives back, what `n` objects of a pool cannot do without, apart from themselves.
    pub fn reserve_rest(&mut self, layout: &Layout, pool: PoolId, n: u32, reserve: bool) {
        for (i, &(other, need)) in layout.pool(pool).fresh.iter().enumerate() {
            let need = if i == 0 { need - 1 } else { need };
            if need > 0 {
                self.promise(other, need * n, reserve);
            }
        }
    }

    /// Takes fresh objects for the elements of a vector. Returns the number of the first one.
    pub fn take_elements(&mut self, layout: &Layout, pool: PoolId, len: u32) -> u32 {
        let start = self.pool(pool).used;
        self.pool_mut(pool).used += len;
        self.claim(pool, len);
        self.reserve_rest(layout, pool, len, true);
        start
    }

    /// Undoes [`Objects::take_elements`].
    pub fn give_elements_back(&mut self, layout: &Layout, pool: PoolId, len: u32) {
        self.pool_mut(pool).used -= len;
        self.unclaim(pool, len);
        self.reserve_rest(layout, pool, len, false);
    }

    /// Notes that an object of an arena is referred to, or read by position.
    pub fn touch(&mut self, pool: PoolId, object: ObjectId) {
        self.pool_mut(pool).touched[object.index()] += 1;
    }

    /// Undoes [`Objects::touch`].
    pub fn untouch(&mut self, pool: PoolId, object: ObjectId) {
        self.pool_mut(pool).touched[object.index()] -= 1;
    }
}
