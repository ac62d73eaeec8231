//! Giving cells their tables and slots.

use super::boxed::{self, TableAround};
use super::known::{self, SharedDomain, Table};
use super::requirements::Requirement;
use super::{Allocation, Asked, At, Builder, NO_SLOT, ROOT, TableKey, fill, keys, payload, table_key};
use crate::bounds::edges::{self, MAX_DOMAIN_OF_EDGES};
use crate::bounds::{Choices, MAX_DOMAIN, MAX_SLOTS, Role, long};
use crate::cell::split::Wholes;
use crate::cell::{Copied, Head, Tracked};
use crate::error::Error;
use crate::ids::SlotId;
use crate::key::Key;
use crate::layout::{Kind, NOT_LAZY, Ownership, Patterns, Slot, SlotInfo, Texts, There};
use crate::mirror::destructor::{self, may_run_user_code};
use crate::room;
use crate::shape::{Domain, Leaf, Part, Value};
use std::any::{TypeId, type_name};
use std::rc::Rc;

impl Builder {
    /// Notes what a field was asked for.
    fn note_asked(&mut self, at: At, what: Asked) {
        if !self.asked.iter().any(|(site, known)| std::ptr::eq(*site, at.site) && *known == what) {
            self.asked.push((at.site, what));
        }
    }

    /// The integers of a field.
    pub(crate) fn ints(&mut self, at: At, role: Role, min: i128, max: i128) -> Choices<i128> {
        self.note_asked(at, Asked::Ints);
        let r = self.bounds.ints_of(self.components.site(at), role, min, max);
        let ints = self.or_fail(r, Choices { values: vec![min], masks: vec![u64::MAX] });
        for value in &ints.values {
            self.layout.largest = self.layout.largest.max(value.unsigned_abs());
        }
        ints
    }

    /// The lengths of a set or map, whose contents cannot be filled.
    #[inline]
    pub(crate) fn lengths_of_set(&mut self, at: At) -> Choices<u32> {
        if !long::of(&self.bounds, self.components.site(at)).is_empty() {
            let why =
                "long lengths are for vectors and strings: the contents of a set or map cannot be filled";
            self.fail(Error::Contradiction { at: at.site.to_string(), why: why.into() });
        }
        self.lengths(at)
    }

    /// The lengths of a field.
    #[inline]
    pub(crate) fn lengths(&mut self, at: At) -> Choices<u32> {
        fill::note(self, at);
        self.note_asked(at, Asked::Lengths);
        let r = self.bounds.lengths_of(self.components.site(at));
        self.or_fail(r, Choices { values: vec![0], masks: vec![u64::MAX] })
    }

    /// The characters of a field.
    #[inline]
    pub(crate) fn alphabet(&mut self, at: At) -> Choices<char> {
        self.note_asked(at, Asked::Alphabet);
        let site = self.components.site(at);
        let r = self.bounds.alphabet_of(site).inspect(|letters| self.layout.note_letters(&letters.values));
        self.or_fail(r, Choices { values: vec!['a'], masks: vec![u64::MAX] })
    }

    /// The chosen variants of a plain enum, as indices into its names.
    #[inline]
    pub fn variants(&mut self, at: At, names: &[&str]) -> Vec<u32> {
        self.note_asked(at, Asked::Variants);
        let r = self.bounds.variants_of(self.components.site(at), names);
        self.or_fail(r, vec![0])
    }

    /// Whether bounds or attributes allow a nullable pointer to be null.
    pub(crate) fn may_be_null(&mut self, at: At) -> bool {
        self.note_asked(at, Asked::Null);
        self.bounds.nullable_of(self.components.site(at)).unwrap_or(true)
    }

    /// The largest table of contents.
    #[inline]
    pub(crate) fn largest_table(&self) -> u64 {
        if self.bounds.has_edges() { MAX_DOMAIN_OF_EDGES } else { MAX_DOMAIN }
    }

    /// Edge values of a string, besides those of its characters and lengths.
    #[inline]
    pub(crate) fn edge_strings(&self, at: At) -> &'static [&'static str] {
        edges::strings(&self.bounds, at.site)
    }

    /// Gives a cell its table and its slot.
    pub(crate) fn attach<T: Value>(&mut self, cell: &'static Tracked<T>, at: At) {
        let key = table_key(TypeId::of::<T>(), at);
        // Plain data behind a pointer has an identity, so each object needs values at addresses of its own.
        let is_object = std::mem::take(&mut self.is_object);
        let is_shared = T::SHARED && !is_object;
        let known = if is_shared { self.known_table(key) } else { None };
        let (table, shared): (&'static [T], usize) = match known {
            Some((table, shared)) => {
                // SAFETY: the entry was made below for the same type `T` (it is part of the key) from a leaked
                // slice of that length.
                (unsafe { std::slice::from_raw_parts(table.cast::<T>(), self.shared[shared].len) }, shared)
            }
            None => {
                let mut d = T::domain(self, at);
                if const { !T::FIELDLESS.is_empty() }
                    && is_object
                    && self.is_in_box(TypeId::of::<Tracked<T>>())
                {
                    // Boxes hold the others without an object.
                    d = with_fields(d);
                }
                let count = self.first_payload(T::SHARED, d.values.len(), &mut d.kind, &mut d.masks, at);
                d.values.truncate(count);
                let table: &'static [T] = d.values.leak();
                // The variants without fields that boxes hold have addresses of their own, too.
                let is_kept = is_shared && !d.kind.has_constants();
                let bytes = size_of_val(table) as u64;
                let shared = self.study(Rc::new(table), (d.kind, d.masks, d.lengths), bytes, at);
                if const { T::KEYS } {
                    self.shared[shared].keys = keys::of_table(self, table, self.shared[shared].code);
                }
                if is_kept {
                    self.tables.push((key, (table.as_ptr().cast(), shared)));
                }
                (table, shared)
            }
        };
        let (kept, shared) = fill::kept(self, T::SHARED, shared, at);
        let table = &table[kept];
        cell.set_table(table);
        let object = if is_object { self.object } else { None };
        boxed::note_values(&mut self.layout, object, table.as_ptr() as usize, size_of_val(table));
        let id = self.enlist(&cell.head, shared, at);
        if const { T::SHARED } {
            cell.head.copied.set(Copied::Once);
            if self.is_frugal(shared) {
                let undecided = T::undecided(id.number());
                // An object's identity is the address of its value, which must not depend on whether that is decided. For
                // order types, the invariant sees no key that is decided.
                let may_be_late = (!is_object || self.order_types) && undecided.is_some();
                let is_late = self.note_plain(id, shared, undecided.is_some(), may_be_late);
                if let (true, Some(undecided)) = (is_late, undecided) {
                    cell.lazy.set(Box::leak(Box::new(undecided)));
                }
            }
        }
        if const { T::HAS_KEYS } && !self.rehearsing {
            self.layout.slots[id.index()].has_keys = true;
        }
        if const { T::KEYS } {
            keys::note(self, cell, table, shared, (id, at));
        }
        if const { T::SHARED } {
            self.values_require(id, shared);
        } else {
            let link = &mut |b: &mut Builder, i: usize| table[i].link_inside(b, at);
            self.link_table(id, TypeId::of::<T>(), shared, T::CUMULATIVE, at, link);
        }
    }

    /// Keeps the first values of a field whose payload waits. Returns how many these are.
    fn first_payload(
        &mut self,
        is_shared: bool,
        count: usize,
        kind: &mut Kind,
        masks: &mut Vec<u64>,
        at: At,
    ) -> usize {
        if !self.bounds.has_payload() {
            return count;
        }
        let is_first = self.bounds.payload_of(at.site).filter(|_| is_shared);
        payload::mark(is_first, count, kind, masks)
    }

    /// Checks a table, finds out what its values stand for, and keeps that. Returns the number of what is kept.
    fn study(
        &mut self,
        table: Rc<dyn Table>,
        (mut kind, masks, lengths): (Kind, Vec<u64>, Vec<u32>),
        bytes: u64,
        at: At,
    ) -> usize {
        self.check_table(at, table.len(), kind, &lengths);
        self.has_room(at, bytes);
        let is_counted = self.bounds.total().is_some() && matches!(kind, Kind::Values { .. });
        let elements = if is_counted { known::elements(&*table) } else { Rc::new([]) };
        if self.order_types && table.has_keys() && !elements.is_empty() {
            let why = "order types leave open which keys it has, so `size` cannot count them; use `scope`, or leave \
                       `order_types` out";
            self.fail(Error::Contradiction { at: at.site.to_string(), why: why.into() });
        }
        if let Kind::Values { frugal, .. } = &mut kind {
            *frugal &= elements.is_empty();
        }
        self.shared.push(SharedDomain::new(table, kind, elements, masks, lengths));
        self.shared.len() - 1
    }

    /// Whether cells with this table may be left undecided.
    fn is_frugal(&self, shared: usize) -> bool {
        !self.rehearsing && matches!(self.shared[shared].kind, Kind::Values { frugal: true, .. })
    }

    /// Whether the current object is of this type and in the pool of a `Box`.
    #[inline]
    fn is_in_box(&self, of: TypeId) -> bool {
        let is_its_pool = |pool| self.object.is_some_and(|object| object.0 == pool);
        self.pools
            .iter()
            .any(|(key, (pool, _))| key.0 == of && key.1 == Allocation::Box && is_its_pool(*pool))
    }

    /// The table that all cells of a field share, and the number of what is known about it.
    fn known_table(&self, key: TableKey) -> Option<(*const (), usize)> {
        self.tables.iter().find(|(known, _)| *known == key).map(|(_, table)| *table)
    }

    /// The values that are put together for the cells of a tuple, and whether the cell is an object of its own.
    pub(crate) fn wholes<T: Value>(&mut self, at: At) -> (&'static Wholes<T>, bool) {
        let is_object = std::mem::take(&mut self.is_object);
        (self.components.wholes(at, is_object), is_object)
    }

    /// Links a cell that another one is split into.
    pub(crate) fn link_component<P: Part>(&mut self, cell: &'static P, at: At, is_object: bool) {
        self.is_object = is_object;
        cell.link(self, at);
    }

    /// Whether so many bytes more may be laid out. Otherwise the layout has failed.
    pub(crate) fn has_room(&mut self, at: At, bytes: u64) -> bool {
        self.unmeasured = self.unmeasured.saturating_add(bytes);
        if self.unmeasured < MEASURED_EVERY {
            return true;
        }
        self.unmeasured = 0;
        let is_left = room::is_left(bytes);
        if !is_left {
            let why = "to lay it out takes more memory than the limit allows; lower the bounds, or raise the limit \
                       (`memory = \"2 GB\"`, `SMALLSCOPE_MEMORY`, `--memory`)";
            self.fail(Error::TooLarge { at: at.site.to_string(), why: why.into() });
        }
        is_left
    }

    /// Gives a cell its slot, with a table that is known.
    fn enlist(&mut self, head: &'static Head, shared: usize, at: At) -> SlotId {
        let d = &self.shared[shared];
        let kind = d.kind;
        let (masks, lengths, texts) = (d.masks.clone(), d.lengths.clone(), d.texts.clone());
        let id = self.register(head, kind, at, masks, lengths, texts);
        match kind {
            Kind::Pointer(p) if p.prepaid => self.frame.push(Requirement::Object(p.pool)),
            Kind::Index { .. } if !self.rehearsing => self.indices.push((id, at.site)),
            _ => {}
        }
        id
    }

    /// Notes what is known about the values of a slot of plain data. Whether it is decided late: if it may be, and if
    /// its values are numbers.
    fn note_plain(&mut self, id: SlotId, shared: usize, is_key: bool, may_be_late: bool) -> bool {
        let SharedDomain { nones, code, .. } = self.shared[shared];
        self.layout.infos[id.index()].code = code;
        let slot = &mut self.layout.slots[id.index()];
        (slot.is_plain, slot.nones, slot.is_key) = (true, nones, is_key);
        let is_late = code.is_some() && may_be_late;
        if is_late {
            slot.lazy = nones;
        }
        is_late
    }

    /// Links the cells inside each value of a table with `link`, noting what each choice requires.
    fn link_table(
        &mut self,
        id: SlotId,
        of: TypeId,
        shared: usize,
        is_cumulative: bool,
        at: At,
        link: &mut dyn FnMut(&mut Builder, usize),
    ) {
        let key = (of, std::ptr::from_ref(at.site));
        if self.tables_around.iter().any(|around| around.key == key) {
            // The bounds of the inner one are those of the outer one, so there is no end.
            self.fail(Error::Recursive { at: at.site.to_string() });
        } else {
            self.tables_around.push(TableAround { key, slot: id, there: There::Always });
            let outer = std::mem::take(&mut self.frame);
            let mut requirements: Vec<Vec<Requirement>> = vec![];
            for i in 0..self.shared[shared].len {
                if self.has_failed() {
                    break;
                }
                boxed::enter_value(&mut self.tables_around, i as u32, is_cumulative);
                link(self, i);
                let mut all = requirements.last().filter(|_| is_cumulative).cloned().unwrap_or_default();
                all.append(&mut self.frame);
                requirements.push(all);
            }
            self.frame = outer;
            let elements = self.shared[shared].elements.clone();
            self.choices_require(id, requirements, &elements);
            self.tables_around.pop();
        }
    }

    /// Notes how many elements the values of a slot have.
    fn values_require(&mut self, id: SlotId, shared: usize) {
        let SharedDomain { elements, len, .. } = &self.shared[shared];
        if !elements.is_empty() {
            let (elements, mut none) = (elements.clone(), vec![]);
            for _ in 0..*len {
                none.push(vec![]);
            }
            self.choices_require(id, none, &elements);
        }
    }

    /// Notes what each choice of a slot requires, with the elements that it has itself.
    fn choices_require(&mut self, id: SlotId, mut requirements: Vec<Vec<Requirement>>, elements: &[u32]) {
        for (requirements, &n) in requirements.iter_mut().zip(elements) {
            if n > 0 {
                requirements.push(Requirement::Elements(n));
            }
        }
        if !self.rehearsing && requirements.iter().any(|r| !r.is_empty()) {
            self.frame.push(Requirement::Cheapest(self.requirements.slots.len()));
            self.requirements.slots.push((id, requirements));
        }
    }

    /// Gives a cell the values that the user listed.
    pub fn attach_values<T: 'static>(&mut self, cell: &'static Tracked<T>, at: At, values: Vec<T>) {
        if values.is_empty() {
            self.fail(Error::EmptyDomain {
                at: at.site.to_string(),
                why: "`values` is an empty list".into(),
            });
            return;
        }
        if self.order_types && type_name::<T>().contains(type_name::<Key>()) {
            let why = "its `values` contain keys, which order types cannot compare with others; give it a `range`, or leave \
                       `order_types` out";
            self.fail(Error::Contradiction { at: at.site.to_string(), why: why.into() });
        }
        let table: &'static [T] = Box::leak(values.into_boxed_slice());
        cell.set_table(table);
        let kind = Kind::Values { count: table.len() as u32, frugal: true };
        self.note_mutable(at);
        self.note_destructor(may_run_user_code::<T>());
        let texts = Rc::new(|i| format!("value {i}"));
        self.register(&cell.head, kind, at, Rc::new([]), Rc::new([]), texts);
    }

    /// Notes that what is here can be changed through a shared reference.
    #[inline]
    pub(crate) fn note_mutable(&mut self, at: At) {
        // Parts without a bit of their own count as all parts.
        self.layout.parts.mutable |= 1_u64.checked_shl(at.part).unwrap_or(u64::MAX);
    }

    /// Notes that a type has a destructor of its own, if it has.
    pub fn note_destructor(&mut self, has_destructor: bool) {
        self.layout.has_destructor |= has_destructor;
        if has_destructor {
            destructor::note();
        }
    }

    /// The table of a field that holds indices, if it is one.
    pub fn indices<T: Leaf>(&mut self, at: At) -> Option<Domain<T>> {
        at.site.attrs.index?;
        let values: Vec<T> = (0..MAX_INDEX).map_while(T::index).collect();
        if values.is_empty() {
            let why = "`index` goes on integers, or on an `Option`, vector or array of them".into();
            self.fail(Error::Contradiction { at: at.site.to_string(), why });
            return None;
        }
        let kind = Kind::Index { arena: NO_SLOT, prefix: 0, count: values.len() as u32 };
        Some(Domain { values, kind, masks: vec![], lengths: vec![] })
    }

    fn check_table(&mut self, at: At, len: usize, kind: Kind, lengths: &[u32]) {
        let expected = match kind {
            Kind::Values { count, .. } => count as usize,
            Kind::Pointer(p) => (p.prefix + self.layout.pool(p.pool).size) as usize,
            Kind::Items { pool, prefix, .. } => {
                prefix as usize + lengths.len() * self.layout.stride(pool) as usize
            }
            Kind::Index { .. } => len,
        };
        assert_eq!(len, expected, "smallscope internal error: table of `{}`", at.site);
        if let Kind::Values { count: 0, .. } = kind {
            self.fail(Error::EmptyDomain {
                at: at.site.to_string(),
                why: "its type has no value within the bounds".into(),
            });
        }
    }

    fn register(
        &mut self,
        head: &'static Head,
        kind: Kind,
        at: At,
        masks: Rc<[u64]>,
        lengths: Rc<[u32]>,
        texts: Texts,
    ) -> SlotId {
        let site = at.site;
        if std::ptr::eq(site, &ROOT) && !self.fields.last().is_some_and(|last| std::ptr::eq(*last, &ROOT)) {
            self.fields.push(site);
        }
        if let Kind::Pointer(p) = kind {
            self.layout.note_pointer(p);
            if p.ownership == Ownership::Raw && !site.attrs.frozen {
                self.note_mutable(at);
            }
        }
        if self.rehearsing {
            return NO_SLOT;
        }
        self.has_room(at, size_of::<Slot>() as u64 + size_of::<SlotInfo>() as u64);
        let id = SlotId::new(self.layout.slots.len() as u32);
        head.slot.set(id);
        self.layout.slots.push(Slot {
            head,
            kind,
            is_plain: false,
            lazy: NOT_LAZY,
            is_key: false,
            nones: 0,
            has_keys: false,
            patterns: Patterns::None,
            is_bare: false,
            arena: None,
        });
        self.layout.infos.push(SlotInfo {
            site,
            object: self.object,
            argument: at.argument,
            part: at.part,
            around: self.tables_around.last().map(|around| around.slot),
            there: self.tables_around.last().map_or(There::Always, |around| around.there),
            needs: vec![],
            lengths,
            masks,
            texts,
            code: None,
            keys: None,
            key_slots: Rc::new([]),
        });
        if self.layout.slots.len() > MAX_SLOTS {
            self.fail(Error::TooLarge {
                at: site.to_string(),
                why: format!("more than {MAX_SLOTS} slots in all"),
            });
        }
        id
    }
}

/// The variants that have fields.
fn with_fields<T: Value>(d: Domain<T>) -> Domain<T> {
    let mut values = vec![];
    for (value, is_fieldless) in d.values.into_iter().zip(T::FIELDLESS) {
        if !is_fieldless {
            values.push(value);
        }
    }
    Domain::plain(values)
}

/// Bytes of a layout between two measurements of memory.
const MEASURED_EVERY: u64 = 1 << 20;

/// The largest number of indices of an arena.
const MAX_INDEX: u32 = 1 << 12;
