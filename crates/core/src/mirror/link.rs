//! Laying out the mirror heap for some bounds: every cell gets a slot, every type its pool of objects.
//!
//! Errors are kept until the end, so that `domain` functions stay simple. The first one wins.

mod at;
mod boxed;
mod components;
#[cfg_attr(not(feature = "filled"), path = "link/no_fill.rs")]
pub(crate) mod fill;
mod finish;
mod inner;
mod keys;
mod known;
mod payload;
mod requirements;
mod tables;
mod together;

use crate::bounds::{Bounds, FIRST_PAYLOAD};
use crate::error::Error;
use crate::heap::Heap;
use crate::ids::{ObjectId, PoolId, SlotId};
use crate::layout::{Flat, Layout, Pool};
use crate::leaked::leak;
use crate::mirror::Pooled;
use crate::mirror::root::Root;
use crate::options::Engine;
use crate::shape::{Part, Pointee};
use crate::site::{FieldSite, TypeSite};
pub use at::At;
use boxed::TableAround;
use components::KnownComponents;
pub(crate) use components::{Component, END, START};
use fill::Filling;
pub use inner::Graph;
use known::SharedDomain;
use requirements::{Requirement, Requirements};
use std::any::{Any, TypeId};
use together::CountedTogether;

/// How the objects of a pool are allocated. Pointers of different kinds never share objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Allocation {
    /// One by one, as `Box` does; raw pointers too.
    Box,
    /// By `Rc`.
    Rc,
    /// By `Arc`.
    Arc,
    /// Side by side in a vector.
    Inline,
}

/// What a field can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Asked {
    Ints,
    Lengths,
    Alphabet,
    Variants,
    Null,
}

/// A type, the field that it is in, the number of the name of its pool, and the component of a tuple.
type TableKey = (TypeId, *const FieldSite, u32, Component);

fn table_key(of: TypeId, at: At) -> TableKey {
    (of, std::ptr::from_ref(at.site), at.pool_name, at.component)
}

/// What a rehearsed cell has instead of a slot.
const NO_SLOT: SlotId = SlotId::new(u32::MAX);

/// The type of the objects of a pool, how they are allocated, and the number of the pool's name.
type PoolKey = (TypeId, Allocation, u32);

/// Links the objects of one pool.
type Link = Box<dyn FnOnce(&mut Builder)>;

/// The layout under construction.
#[derive(Default)]
pub struct Builder {
    layout: Layout,
    pub(crate) bounds: Bounds,
    engine: Engine,
    /// One value per order of keys is wanted.
    order_types: bool,
    error: Option<Error>,
    pools: Vec<(PoolKey, (PoolId, &'static dyn Any))>,
    together: CountedTogether,
    /// Pools by input and name.
    pool_names: Vec<(Option<&'static str>, String)>,
    tables: Vec<(TableKey, (*const (), usize))>,
    shared: Vec<SharedDomain>,
    /// Objects of pools that are still to be linked.
    todo: Vec<Link>,
    /// Parts to be linked without slots; see [`Builder::rehearse`].
    rehearsals: Vec<Link>,
    rehearsed: Vec<TableKey>,
    rehearsing: bool,
    object: Option<(PoolId, ObjectId)>,
    /// What is linked next is not a field but a whole object.
    is_object: bool,
    /// The tables that are being linked, each inside the one before.
    tables_around: Vec<TableAround>,
    /// Bytes of the layout since memory was measured.
    unmeasured: u64,
    /// Requirements collected for the part that is being linked.
    frame: Vec<Requirement>,
    requirements: Requirements,
    fields: Vec<&'static FieldSite>,
    /// What the fields were asked for, so that attributes of no use are found.
    asked: Vec<(&'static FieldSite, Asked)>,
    /// Index slots and the name of the field they index into.
    indices: Vec<(SlotId, &'static FieldSite)>,
    /// Slots with keys inside their values.
    keyed: Vec<keys::Keyed>,
    /// What the components of tuples share.
    components: KnownComponents,
    filling: Filling,
    /// Which types contain which, and which of their fields have an invariant.
    pub graph: Graph,
}

/// The pseudo field that leads to the value itself.
pub static ROOT: FieldSite =
    FieldSite { owner: "input", module: "", field: "value", attrs: crate::site::FieldAttrs::NONE };

impl Builder {
    /// Links a root part and everything it can reach.
    pub(crate) fn build(
        root: &'static dyn Root,
        bounds: &Bounds,
        engine: Engine,
        order_types: bool,
    ) -> Result<&'static Heap, Error> {
        let is_uncompared = bounds.size_number().is_some() && !Builder::has_invariants(root, bounds);
        let bounds = if is_uncompared { &bounds.uncompared() } else { bounds };
        let mut b = Builder::new(&fill::with_counters(root, bounds), engine, order_types);
        let of_root = b.link_all(root);
        b.finish(&of_root)
    }

    /// Whether the value or a part of it has an invariant. Parts are seen only while they are linked, so a copy of the root
    /// is linked with the least size.
    fn has_invariants(root: &'static dyn Root, bounds: &Bounds) -> bool {
        if root.has_invariant() {
            return true;
        }
        let mut b = Builder::new(&bounds.within(0), Engine::Korat, false);
        b.link_all(root.blank_copy());
        b.graph.has_checks()
    }

    fn new(bounds: &Bounds, engine: Engine, order_types: bool) -> Builder {
        bounds.forget_uses();
        Builder {
            bounds: bounds.clone(),
            engine,
            order_types,
            pool_names: vec![(None, String::new())],
            filling: Filling::new(bounds),
            ..Builder::default()
        }
    }

    /// Links the root and everything that it reaches. Returns what the root requires.
    fn link_all(&mut self, root: &'static dyn Root) -> Vec<Requirement> {
        let inside = self.graph.root(&ROOT);
        let component = Component::NONE;
        root.link(self, At { site: &ROOT, pool_name: 0, argument: None, part: 0, inside, component });
        let of_root = std::mem::take(&mut self.frame);
        while let Some(link) = self.todo.pop() {
            if self.error.is_some() {
                break;
            }
            link(self);
        }
        keys::link_patterns(self);
        self.layout.growth = self.bounds.growth();
        self.hold_rehearsals();
        of_root
    }

    /// Does what needs the whole layout, which does not change any more. Makes the heap.
    fn finish(mut self, of_root: &[Requirement]) -> Result<&'static Heap, Error> {
        if let Some(e) = self.error.take() {
            return Err(e);
        }
        let (mut types, mut pools) = (vec![], vec![]);
        for pool in &self.layout.pools {
            types.push(pool.site);
        }
        for (_, name) in &self.pool_names[1..] {
            pools.push(name.as_str());
        }
        let mut fields = self.fields.clone();
        self.components.add_sites(&mut fields);
        self.bounds.check_names(&types, &fields, &pools)?;
        finish::check_attributes(&self.fields, &self.asked)?;
        finish::resolve_indices(&mut self.layout, &self.indices)?;
        if let Some(size) = self.bounds.total() {
            finish::bound_total(&mut self.layout, &self.bounds, size);
            self.requirements.pools.push(vec![]);
        }
        match self.engine.aliases() {
            true => self.requirements.resolve_elements(&mut self.layout),
            false => self.requirements.resolve(&mut self.layout, of_root)?,
        }
        finish::find_bare_pointers(&mut self.layout);
        keys::leave_open(&mut self);
        self.layout.inner = self.graph.finish(&self.layout)?;
        self.layout.flat = Flat::of(&self.layout);
        Ok(Heap::new(Box::leak(Box::new(self.layout)), self.engine))
    }

    /// Links a part later, without slots: the bounds allow no copy of it. So the names of its fields are known, bounds for
    /// them find their use, and which pools have owners depends on the types alone. Errors there are ignored. Once per
    /// type and field, so that types that contain themselves end.
    pub(crate) fn rehearse<P: Part>(&mut self, at: At) {
        self.rehearse_with(TypeId::of::<P>(), at, move |b| {
            leak(P::blank()).link(b, at);
        });
    }

    /// The same for what a function links.
    pub(crate) fn rehearse_with(&mut self, what: TypeId, at: At, link: impl FnOnce(&mut Builder) + 'static) {
        if self.is_new_rehearsal(table_key(what, at)) {
            self.rehearsals.push(Box::new(link));
        }
    }

    fn is_new_rehearsal(&mut self, what: TableKey) -> bool {
        let is_new = !self.rehearsed.contains(&what);
        if is_new {
            self.rehearsed.push(what);
        }
        is_new
    }

    /// Holds the rehearsals, after everything else is linked. Pools that first appear here have no objects.
    fn hold_rehearsals(&mut self) {
        self.rehearsing = true;
        while let Some(link) = self.rehearsals.pop() {
            link(self);
            self.frame.clear();
        }
    }

    /// Remembers the first error.
    pub fn fail(&mut self, e: Error) {
        if !self.rehearsing {
            self.error.get_or_insert(e);
        }
    }

    /// Whether there was an error, so that the rest need not be linked.
    pub(crate) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    fn or_fail<T>(&mut self, r: Result<T, Error>, instead: T) -> T {
        r.unwrap_or_else(|e| {
            self.fail(e);
            instead
        })
    }

    /// The engine that the heap is laid out for.
    pub(crate) fn engine(&self) -> Engine {
        self.engine
    }

    /// Enters a field: from here on objects come from the pool that its attribute names, if any.
    pub fn enter(&mut self, at: At, site: &'static FieldSite) -> At {
        self.fields.push(site);
        self.is_object = false;
        // A part has objects of its own.
        let pool = site.attrs.pool.or(site.attrs.part);
        let pool_name = pool.map_or(at.pool_name, |name| self.pool_named(at.argument, name));
        let is_of_root = match at.argument {
            None => std::ptr::eq(at.site, &ROOT),
            Some(argument) => std::ptr::eq(at.site.field, argument),
        };
        let part = if is_of_root { self.part_of_field(at, site) } else { at.part };
        At {
            site,
            pool_name,
            part,
            inside: self.graph.field(at.inside, site),
            component: Component::NONE,
            ..at
        }
    }

    /// The number of a pool. Inputs share no pools.
    fn pool_named(&mut self, argument: Option<&'static str>, name: &str) -> u32 {
        let known = self.pool_names.iter().position(|p| p.0 == argument && p.1 == name);
        known.unwrap_or_else(|| {
            self.pool_names.push((argument, name.to_owned()));
            self.pool_names.len() - 1
        }) as u32
    }

    /// Enters one of several independent inputs: a pool and a field name of its own.
    pub(crate) fn argument<P: Part>(&mut self, at: At, i: usize) -> At {
        let name = self.bounds.argument_name(i);
        let site = leak(FieldSite {
            owner: "",
            module: "",
            field: Box::leak(name.into_boxed_str()),
            attrs: crate::site::FieldAttrs::NONE,
        });
        let argument = Some(site.field);
        let pool_name = self.pool_named(argument, site.field);
        let part = self.layout.parts.add_input(site.field, TypeId::of::<P>());
        self.enter(At { pool_name, argument, part, ..at }, site)
    }

    /// The part that a field of the root, or of an input, belongs to, as its attributes say.
    fn part_of_field(&mut self, at: At, site: &'static FieldSite) -> u32 {
        let parts = &mut self.layout.parts;
        if site.attrs.unsafe_parts {
            parts.vouch(at.part);
        }
        match site.attrs.part.or(site.attrs.pool) {
            Some(name) => parts.add_field(at.part, name, site.attrs.part.is_some()),
            None => at.part,
        }
    }

    fn new_pool(&mut self, site: &'static TypeSite, at: At) -> (PoolId, u32) {
        let name = (at.pool_name != 0).then(|| self.pool_names[at.pool_name as usize].1.clone());
        let r = self.bounds.pool_size(site, name.as_deref());
        let none = (0, vec![u64::MAX]);
        let (mut size, mut masks) = if self.rehearsing { none } else { self.or_fail(r, none) };
        self.filling.grow_pool(&mut size, &mut masks);
        if self.bounds.has_payload() {
            masks.iter_mut().for_each(|mask| *mask |= 1 << FIRST_PAYLOAD);
        }
        let id = PoolId::new(self.layout.pools.len() as u32);
        self.layout.pools.push(Pool {
            site,
            name: name.unwrap_or_default(),
            part: at.part,
            size,
            must_be_owned: false,
            fresh: vec![(id, 1)],
            mandatory: 0,
            siblings: Box::default(),
            masks,
        });
        self.requirements.pools.push(vec![]);
        (id, size)
    }

    /// The pool of objects that a pointer can point to.
    pub(crate) fn pool<T>(
        &mut self,
        at: At,
        how: Allocation,
        owned: bool,
    ) -> (PoolId, &'static [Pooled<T::Object>])
    where
        T: Pointee<Object: Part> + 'static,
    {
        let make = |b: &mut Builder, pool, size| {
            let mut objects = Vec::with_capacity(size as usize);
            for _ in 0..size {
                objects.push(Pooled::new(T::Object::blank()));
            }
            let objects: &'static [Pooled<T::Object>] = Box::leak(objects.into_boxed_slice());
            boxed::note(&mut b.layout, how, pool, objects);
            let at = b.graph.pool(at, pool);
            let link = move |b: &mut Builder| b.link_objects(pool, at, objects.iter().map(|p| &p.object));
            b.todo.push(Box::new(link));
            objects
        };
        let rehearse = |b: &mut Builder, pool| {
            let at = b.graph.pool(at, pool);
            b.rehearse::<T::Object>(at);
        };
        let (pool, objects) =
            self.any_pool((TypeId::of::<T::Object>(), T::counted()), T::SITE, at, how, make, rehearse);
        self.layout.pools[pool.index()].must_be_owned |= owned;
        (pool, objects)
    }

    /// The pool of objects that vectors take their elements from.
    pub(crate) fn inline_pool<O: Part>(
        &mut self,
        at: At,
        site: &'static TypeSite,
        counted: TypeId,
    ) -> (PoolId, &'static [O]) {
        let make = |b: &mut Builder, pool, size| {
            let mut objects = Vec::with_capacity(size as usize);
            for _ in 0..size {
                objects.push(O::blank());
            }
            let objects: &'static [O] = Box::leak(objects.into_boxed_slice());
            boxed::note_elements(&mut b.layout, pool, objects);
            let at = b.graph.pool(at, pool);
            b.todo.push(Box::new(move |b: &mut Builder| b.link_objects(pool, at, objects.iter())));
            objects
        };
        let rehearse = |b: &mut Builder, pool| {
            let at = b.graph.pool(at, pool);
            b.rehearse::<O>(at);
        };
        self.any_pool((TypeId::of::<O>(), counted), site, at, Allocation::Inline, make, rehearse)
    }

    fn any_pool<O: 'static>(
        &mut self,
        (object, counted): (TypeId, TypeId),
        site: &'static TypeSite,
        at: At,
        how: Allocation,
        make: impl FnOnce(&mut Builder, PoolId, u32) -> &'static [O],
        rehearse: impl FnOnce(&mut Builder, PoolId),
    ) -> (PoolId, &'static [O]) {
        let key = (object, how, at.pool_name);
        if let Some((pool, any)) = self.known_pool(key, at) {
            let objects = any.downcast_ref::<&'static [O]>().expect("a pool has one object type");
            return (pool, objects);
        }
        let (pool, size) = self.pool_with_room(site, at, counted, size_of::<O>());
        let objects = make(self, pool, size);
        if size == 0 {
            rehearse(self, pool);
        }
        self.pools.push((key, (pool, leak(objects))));
        (pool, objects)
    }

    /// A new pool of as many objects of a size as fit.
    fn pool_with_room(
        &mut self,
        site: &'static TypeSite,
        at: At,
        counted: TypeId,
        bytes: usize,
    ) -> (PoolId, u32) {
        let (pool, mut size) = self.new_pool(site, at);
        if !self.has_room(at, u64::from(size) * bytes as u64) {
            size = 0;
            self.layout.pools[pool.index()].size = 0;
        }
        self.graph.leads_to_pool(at, pool);
        if size > 0 {
            self.together.add(&mut self.layout, counted, pool, at);
        }
        (pool, size)
    }

    /// The objects of a pool that is known, to which a pointer leads from here, too.
    fn known_pool(&mut self, key: PoolKey, at: At) -> Option<(PoolId, &'static dyn Any)> {
        let (pool, objects) = self.pools.iter().find(|(known, _)| *known == key).map(|(_, pool)| *pool)?;
        self.graph.leads_to_pool(at, pool);
        self.layout.note_shared_pool(pool, at.part);
        Some((pool, objects))
    }

    fn link_objects<O: Part>(&mut self, pool: PoolId, at: At, objects: impl Iterator<Item = &'static O>) {
        for (i, o) in objects.enumerate() {
            if self.error.is_some() {
                return;
            }
            self.object = Some((pool, ObjectId::new(i as u32)));
            self.is_object = true;
            self.filling.enter_object(pool, i);
            o.link(self, at);
            let requirements = std::mem::take(&mut self.frame);
            if i == 0 {
                self.requirements.pools[pool.index()] = requirements;
            }
        }
        self.object = None;
        self.filling.leave();
    }
}
