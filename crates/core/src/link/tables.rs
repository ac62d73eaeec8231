//! Giving cells their tables and slots.

use super::{At, Builder, MAX_INDEX, MAX_NESTING, NO_SLOT, ROOT, Requirement, Requirements, SharedDomain};
use crate::bounds::MAX_SLOTS;
use crate::cell::{Head, Tracked};
use crate::error::Error;
use crate::heap::{Code, Kind, NO_CLASS, NOT_HIDDEN, NOT_LAZY, Ownership, Slot, SlotInfo, Texts};
use crate::shape::{Domain, Leaf, Value};
use std::any::TypeId;
use std::rc::Rc;

impl Builder {
    /// Gives a cell its table and its slot.
    pub(crate) fn attach<T: Value>(&mut self, cell: &'static Tracked<T>, at: At) {
        let key = (TypeId::of::<T>(), std::ptr::from_ref(at.site), at.pool);
        // Plain data behind a pointer has an identity, so each object needs values at addresses of its own.
        let is_object = std::mem::take(&mut self.is_object);
        let is_shared = T::SHARED && !is_object;
        let known = self.tables.get(&key).copied().filter(|_| is_shared);
        let (table, shared): (&'static [T], usize) = match known {
            Some((table, shared)) => {
                // SAFETY: the entry was made below for the same type `T` (it is part of the key) from a leaked
                // slice of that length.
                (unsafe { std::slice::from_raw_parts(table.cast::<T>(), self.shared[shared].len) }, shared)
            }
            None => {
                let d = T::domain(self, at);
                let table: &'static [T] = Box::leak(d.values.into_boxed_slice());
                self.check_table(at, table.len(), d.kind, &d.lengths);
                let nones = table.iter().take_while(|value| value.is_nothing()).count();
                self.shared.push(SharedDomain {
                    nones: nones as u32,
                    code: code(table, nones),
                    len: table.len(),
                    kind: d.kind,
                    masks: d.masks.into(),
                    lengths: d.lengths.into(),
                    texts: Rc::new(|i| table[i as usize].label()),
                });
                let shared = self.shared.len() - 1;
                if is_shared {
                    self.tables.insert(key, (table.as_ptr().cast(), shared));
                }
                (table, shared)
            }
        };
        cell.set_table(table);
        let id = self.enlist(&cell.head, shared, at);
        let kind = self.shared[shared].kind;
        if T::SHARED && !self.rehearsing && matches!(kind, Kind::Values { frugal: true, .. }) {
            let undecided = T::undecided(id);
            // An object's identity is the address of its value, which must not depend on whether that is decided.
            let may_be_late = !is_object && undecided.is_some();
            if self.note_plain(id, shared, undecided.is_some(), may_be_late)
                && let Some(undecided) = undecided
            {
                cell.lazy.set(Box::leak(Box::new(undecided)));
            }
        }
        if !T::SHARED {
            self.link_table(id, table, at);
        }
    }

    /// Gives a cell its slot, with a table that is known.
    fn enlist(&mut self, head: &'static Head, shared: usize, at: At) -> u32 {
        let d = &self.shared[shared];
        let kind = d.kind;
        let (masks, lengths, texts) = (d.masks.clone(), d.lengths.clone(), d.texts.clone());
        let id = self.register(head, kind, at, masks, lengths, texts);
        if let Kind::Pointer(p) = kind
            && p.prepaid
        {
            self.frame.push(Requirement::Object(p.class));
        }
        if let Kind::Index { .. } = kind
            && !self.rehearsing
        {
            self.indices.push((id, at.site));
        }
        id
    }

    /// Notes what is known about the values of a slot of plain data. Whether it is decided late: if it may be, and if
    /// its values are numbers.
    fn note_plain(&mut self, id: u32, shared: usize, is_key: bool, may_be_late: bool) -> bool {
        let SharedDomain { nones, code, .. } = self.shared[shared];
        let mut s = self.heap.state.borrow_mut();
        s.infos[id as usize].code = code;
        let slot = &mut s.slots[id as usize];
        (slot.is_plain, slot.nones, slot.is_key) = (true, nones, is_key);
        let is_late = code.is_some() && may_be_late;
        if is_late {
            slot.lazy = nones;
        }
        is_late
    }

    /// Links the cells inside each value of a table, noting what each choice requires.
    fn link_table<T: Value>(&mut self, id: u32, table: &'static [T], at: At) {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            self.fail(Error::TooLarge {
                at: at.site.to_string(),
                why: "the type contains itself without a pointer or vector between; put it into a `Box`"
                    .into(),
            });
        } else {
            let outer = std::mem::take(&mut self.frame);
            let mut requirements = vec![];
            for value in table {
                value.link_inside(self, at);
                let own = std::mem::take(&mut self.frame);
                let shorter = requirements.last().filter(|_| T::CUMULATIVE).cloned().unwrap_or_default();
                requirements.push([shorter, own].concat());
            }
            self.frame = outer;
            self.choices_require(id, requirements);
        }
        self.nesting -= 1;
    }

    fn choices_require(&mut self, id: u32, requirements: Vec<Requirements>) {
        if !self.rehearsing && requirements.iter().any(|r| !r.is_empty()) {
            self.slot_requirements.insert(id, requirements);
            self.frame.push(Requirement::Cheapest(id));
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
        let table: &'static [T] = Box::leak(values.into_boxed_slice());
        cell.set_table(table);
        let kind = Kind::Values { count: table.len() as u32, frugal: true };
        self.note_mutable(at);
        let texts = Rc::new(|i| format!("value {i}"));
        self.register(&cell.head, kind, at, Rc::new([]), Rc::new([]), texts);
    }

    /// Somebody who gets a reference to what is here may change it.
    pub(crate) fn note_mutable(&mut self, at: At) {
        self.heap.state.borrow_mut().parts.mutable.insert(at.part);
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
        let kind = Kind::Index { arena: NO_CLASS, prefix: 0, count: values.len() as u32 };
        Some(Domain { values, kind, masks: vec![], lengths: vec![] })
    }

    fn check_table(&mut self, at: At, len: usize, kind: Kind, lengths: &[u32]) {
        let s = self.heap.state.borrow();
        let expected = match kind {
            Kind::Values { count, .. } => count as usize,
            Kind::Pointer(p) => p.prefix as usize + s.classes[p.class as usize].size as usize,
            Kind::Items { class, prefix, .. } => {
                prefix as usize + lengths.len() * (s.classes[class as usize].size as usize + 1)
            }
            Kind::Index { .. } => len,
        };
        drop(s);
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
    ) -> u32 {
        let site = at.site;
        if std::ptr::eq(site, &ROOT) && !self.fields.last().is_some_and(|last| std::ptr::eq(*last, &ROOT)) {
            self.fields.push(site);
        }
        if let Kind::Pointer(p) = kind {
            let mut s = self.heap.state.borrow_mut();
            s.pointers.insert((p.class, p.ownership));
            if p.ownership == Ownership::Raw && !site.attrs.frozen {
                s.parts.mutable.insert(at.part);
            }
        }
        if self.rehearsing {
            return NO_SLOT;
        }
        let mut s = self.heap.state.borrow_mut();
        let id = s.slots.len() as u32;
        head.slot.set(id);
        head.heap.set(Some(self.heap));
        let choices = match kind {
            Kind::Values { count, .. } => count,
            Kind::Pointer(p) => p.prefix + s.classes[p.class as usize].size,
            Kind::Items { .. } | Kind::Index { .. } => u32::MAX,
        };
        s.store.add(choices);
        s.classed.push(false);
        s.hidden.push(NOT_HIDDEN);
        s.slots.push(Slot {
            head,
            kind,
            is_plain: false,
            lazy: NOT_LAZY,
            is_key: false,
            nones: 0,
            is_bare: false,
            arena_class: NO_CLASS,
            arena_object: 0,
        });
        s.infos.push(SlotInfo {
            site,
            object: self.object,
            argument: at.argument,
            part: at.part,
            needs: vec![],
            lengths,
            masks,
            texts,
            code: None,
        });
        if s.slots.len() > MAX_SLOTS {
            drop(s);
            self.fail(Error::TooLarge {
                at: site.to_string(),
                why: format!("more than {MAX_SLOTS} slots in all"),
            });
        }
        id
    }
}

/// Larger numbers are read, not asked about: sums of smaller ones do not overflow.
pub(crate) const LARGEST_NUMBER: u64 = 1 << 40;

/// What the values of a table stand for, if those behind the first ones are consecutive numbers.
fn code<T: Value>(table: &[T], nones: usize) -> Option<Code> {
    let first = table.get(nones)?.code()?;
    if first.unsigned_abs() > LARGEST_NUMBER {
        return None;
    }
    let is_consecutive = (first..).zip(&table[nones..]).all(|(number, value)| value.code() == Some(number));
    is_consecutive.then(|| Code { of: TypeId::of::<T>(), base: first - nones as i64 })
}
