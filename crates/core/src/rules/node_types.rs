//! Node types: the types of objects that groups are about, field by field.
//!
//! Groups are for structures that are products: everything reachable is plain data, or owned by one `Box` or by one vector.
//! Then what one subtree holds does not depend on any other.
//!
//! The elements of a vector are a list: a first element and the rest. Lists have node types of their own, behind those of
//! objects. They take no objects, and have no slots. A vector of boxes is such a list, too; its pointers have slots, which
//! rules say nothing about: what a pointer leads to is the first element of a list.

use super::FieldState;
use crate::ids::{Choice, ObjectId, PoolId, SlotId};
use crate::layout::{Kind, Layout, Ownership, Patterns, Pointer, There, Total};

/// The most pools of objects. The size of a subtree is a number for each of them.
pub(crate) const MOST_POOLS: usize = 3;

/// How many objects of each pool a subtree has.
pub(crate) type Size = [u16; MOST_POOLS];

/// What the fields of the objects of one pool are. The first node type is the root.
#[derive(Debug)]
pub(crate) struct NodeType {
    /// The pool; none for the root.
    pub pool: Option<PoolId>,
    pub fields: Vec<Field>,
    /// The slots of the fields, for each object. The elements of a vector are a field behind its length, with the same slot.
    pub slots: Vec<Box<[SlotId]>>,
    /// Which number of a size counts its objects. Types that are counted together have the same; lists that of their
    /// elements.
    pub counted: usize,
    /// Its objects are elements of vectors.
    pub is_element: bool,
    /// The node type of the elements, for lists. Their fields are [`FIRST`] and [`REST`].
    pub list_of: Option<usize>,
}

/// The field of a list that is its first element.
pub(crate) const FIRST: usize = 0;

/// The field of a list that is all other elements; choice 0 if there are none.
pub(crate) const REST: usize = 1;

/// A field of a node type: one slot of each object.
#[derive(Debug, PartialEq)]
pub(crate) struct Field {
    pub kind: FieldKind,
    /// The field whose value contains it, and the choices with which it is there.
    pub around: Option<(usize, There)>,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// Plain data.
    Data {
        count: u32,
        /// If it is a key, which stays open: how many of the first choices are none.
        key: Option<u32>,
    },
    /// Something with fields inside: a variant, or the length of a vector.
    Branch { count: u32 },
    /// The length of a vector of structures. The elements are the next field.
    Length {
        count: u32,
        /// Choices that are no vector.
        prefix: Choice,
        /// The number of its lengths in [`NodeTypes::lengths`].
        lengths: usize,
    },
    /// The length of a vector of pointers. The elements are the next field, and the pointers those behind it.
    Count {
        count: u32,
        /// The number of its lengths in [`NodeTypes::lengths`].
        lengths: usize,
    },
    /// Elements of a vector, or an element of a list, or the rest of a list. It has no choice of its own.
    Inside { node_type: usize },
    /// A pointer to an object of a node type.
    Link {
        node_type: usize,
        /// The first choice that is allowed.
        first: Choice,
        /// The first choice that leads to an object.
        prefix: Choice,
    },
    /// A pointer in a vector, whose elements are in a field. No rule says anything about it.
    Element { elements: usize, node_type: usize, prefix: Choice },
}

impl FieldKind {
    /// How many answers there are to what a field holds, if it is no pointer. All keys are one.
    pub fn answers(self) -> Option<u32> {
        match self {
            FieldKind::Data { key: Some(nones), .. } => Some(nones + 1),
            FieldKind::Data { count, .. }
            | FieldKind::Branch { count }
            | FieldKind::Length { count, .. }
            | FieldKind::Count { count, .. } => Some(count),
            FieldKind::Inside { .. } | FieldKind::Link { .. } | FieldKind::Element { .. } => None,
        }
    }

    /// The answer of a field about which something is known.
    pub fn answer(self, state: FieldState) -> Option<u32> {
        match (state, self) {
            (FieldState::Choice(choice), _) => Some(choice),
            (FieldState::Present, FieldKind::Data { key, .. }) => key,
            _ => None,
        }
    }

    /// What an answer says about a field.
    pub fn state(self, answer: u32) -> FieldState {
        match self {
            FieldKind::Data { key: Some(nones), .. } if answer == nones => FieldState::Present,
            _ => FieldState::Choice(answer),
        }
    }
}

/// Where a slot is: node type, object and field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub node_type: u32,
    pub object: u32,
    pub field: u32,
}

/// All node types of a structure.
#[derive(Debug)]
pub(crate) struct NodeTypes {
    pub all: Vec<NodeType>,
    /// Where each slot is.
    pub places: Vec<Place>,
    /// How many objects there are of each pool; of pools that are counted together, in all.
    pub most: Size,
    /// The lengths of vectors of structures, by choice.
    pub lengths: Vec<Box<[u32]>>,
    /// How many objects a value has at most, if its size is bounded.
    pub total: Option<u32>,
    /// Every value that the rules stand for is within the bounds. If the size of the whole value counts elements, too, the
    /// search leaves out those with too many.
    pub is_exact: bool,
}

impl NodeTypes {
    /// The node types of a layout, or why its subtrees cannot be summarised.
    pub fn of(layout: &Layout) -> Result<NodeTypes, String> {
        let pools: Vec<PoolId> = {
            let ids = (0..).map(PoolId::new).zip(&layout.pools);
            let is_real = |id: PoolId| layout.total.as_ref().is_none_or(|total| total.elements != id);
            ids.filter(|(id, pool)| pool.size > 0 && is_real(*id)).map(|(id, _)| id).collect()
        };
        if pools.is_empty() {
            return Err("it has no owned objects".into());
        }
        // Pools that are counted together have one number in a size.
        let (mut counted, mut most): (Vec<usize>, Vec<u16>) = (vec![], vec![]);
        for (i, &id) in pools.iter().enumerate() {
            let pool = layout.pool(id);
            if !layout.boxed.iter().any(|(boxed, _)| *boxed == id) {
                return Err(format!("objects of `{}` are not held by `Box` or vectors alone", pool.site));
            }
            let together = pools[..i].iter().position(|other| pool.siblings.contains(other));
            counted.push(together.map_or(most.len(), |other| counted[other]));
            if together.is_none() {
                most.push(u16::try_from(pool.size).map_err(|_| "it has too many objects".to_owned())?);
            }
        }
        if most.len() > MOST_POOLS {
            return Err(format!("it has more than {MOST_POOLS} kinds of objects"));
        }
        most.resize(MOST_POOLS, 0);
        let most: Size = std::array::from_fn(|i| most[i]);
        let mut slots: Vec<Vec<Vec<SlotId>>> = vec![vec![vec![]]];
        slots.extend(pools.iter().map(|&id| vec![vec![]; layout.pool(id).size as usize]));
        let type_of = |pool: PoolId| 1 + pools.iter().position(|&id| id == pool).unwrap_or(usize::MAX - 1);
        let mut places = vec![];
        for slot in layout.slot_ids() {
            let (node_type, object) = match layout.info(slot).object {
                None => (0, ObjectId::new(0)),
                Some((pool, object)) => (type_of(pool), object),
            };
            let fields = &mut slots[node_type][object.index()];
            places.push(Place {
                node_type: node_type as u32,
                object: object.number(),
                field: fields.len() as u32,
            });
            fields.push(slot);
            if matches!(layout.kind(slot), Kind::Items { .. }) || pointers(layout, slot).is_some() {
                fields.push(slot);
            }
        }
        let mut lengths = vec![];
        let mut lists: Vec<(usize, Option<Pointer>)> = vec![];
        let mut all_types = vec![];
        let first_list = slots.len();
        for (node_type, slots) in slots.into_iter().enumerate() {
            let mut all = vec![];
            for slots in &slots {
                let mut list_of = |pool: PoolId, pointer: Option<Pointer>| {
                    let of = (type_of(pool), pointer);
                    let known = lists.iter().position(|known| *known == of);
                    first_list
                        + known.unwrap_or_else(|| {
                            lists.push(of);
                            lists.len() - 1
                        })
                };
                all.push(fields(layout, slots, &places, &type_of, &mut list_of, &mut lengths)?);
            }
            let first = all.swap_remove(0);
            if all.iter().any(|fields| *fields != first) {
                return Err("its objects differ in their fields".into());
            }
            let pool = node_type.checked_sub(1).map(|i| pools[i]);
            all_types.push(NodeType {
                pool,
                fields: first,
                slots: slots.into_iter().map(Vec::into).collect(),
                counted: node_type.checked_sub(1).map_or(0, |i| counted[i]),
                is_element: false,
                list_of: None,
            });
        }
        for (i, (of, pointer)) in lists.into_iter().enumerate() {
            let first = match pointer {
                Some(p) => FieldKind::Link { node_type: of, first: p.first_choice(0), prefix: p.prefix },
                None if all_types[of].fields.is_empty() => {
                    return Err("it has elements without fields".into());
                }
                None => FieldKind::Inside { node_type: of },
            };
            all_types[of].is_element |= pointer.is_none();
            let rest = FieldKind::Inside { node_type: first_list + i };
            all_types.push(NodeType {
                pool: None,
                fields: [first, rest].map(|kind| Field { kind, around: None }).into(),
                slots: vec![],
                counted: all_types[of].counted,
                is_element: false,
                list_of: Some(of),
            });
        }
        let has_elements = |total: &Total| {
            layout
                .infos
                .iter()
                .any(|info| info.needs.iter().flatten().any(|(pool, _)| *pool == total.elements))
        };
        let is_exact = !layout.total.as_ref().is_some_and(has_elements);
        let total = layout.total.as_ref().map(|total| total.size);
        Ok(NodeTypes { all: all_types, places, most, lengths, total, is_exact })
    }

    pub fn place(&self, slot: SlotId) -> Place {
        self.places[slot.index()]
    }

    /// How many elements a vector has whose length has this choice.
    pub fn length(&self, kind: FieldKind, choice: Choice) -> usize {
        match kind {
            FieldKind::Length { prefix, lengths, .. } if choice >= prefix => {
                self.lengths[lengths][(choice - prefix) as usize] as usize
            }
            FieldKind::Count { lengths, .. } => self.lengths[lengths][choice as usize] as usize,
            _ => 0,
        }
    }

    /// Whether there are vectors of structures or pointers.
    pub fn have_lists(&self) -> bool {
        !self.lengths.is_empty()
    }

    /// The field with the elements, if a slot is that of a pointer in a vector.
    pub fn elements(&self, slot: SlotId) -> Option<usize> {
        let Place { node_type, field, .. } = self.place(slot);
        match self.all[node_type as usize].fields[field as usize].kind {
            FieldKind::Element { elements, .. } => Some(elements),
            _ => None,
        }
    }

    /// The node type of the lists of pointers, if a slot is that of a pointer in a vector.
    pub fn list_at(&self, slot: SlotId) -> Option<usize> {
        let elements = self.elements(slot)?;
        match self.all[self.place(slot).node_type as usize].fields[elements].kind {
            FieldKind::Inside { node_type } => Some(node_type),
            _ => None,
        }
    }

    /// The node type of the objects of a pool.
    pub fn of_pool(&self, pool: PoolId) -> Option<usize> {
        self.all.iter().position(|node_type| node_type.pool == Some(pool))
    }
}

impl NodeType {
    /// The choices of the first element of a list that lead to no object.
    pub fn constants(&self) -> std::ops::Range<Choice> {
        match self.fields[FIRST].kind {
            FieldKind::Link { first, prefix, .. } => first..prefix,
            _ => 0..0,
        }
    }

    /// Whether a field is there, if `choice` says what the fields around it hold.
    pub fn is_there(&self, field: usize, choice: &dyn Fn(usize) -> Option<Choice>) -> bool {
        match self.fields[field].around {
            None => true,
            Some((around, there)) => match (choice(around), there) {
                (None, _) => false,
                (Some(_), There::Always) => true,
                (Some(choice), There::With(with)) => choice == with,
                (Some(choice), There::From(from)) => choice >= from,
            },
        }
    }
}

/// The fields of one object.
fn fields(
    layout: &Layout,
    slots: &[SlotId],
    places: &[Place],
    type_of: &dyn Fn(PoolId) -> usize,
    list_of: &mut dyn FnMut(PoolId, Option<Pointer>) -> usize,
    lengths: &mut Vec<Box<[u32]>>,
) -> Result<Vec<Field>, String> {
    let mut fields: Vec<Field> = vec![];
    let mut number_of = |these: &[u32]| {
        let known = lengths.iter().position(|known| **known == *these);
        known.unwrap_or_else(|| {
            lengths.push(these.into());
            lengths.len() - 1
        })
    };
    for (i, &id) in slots.iter().enumerate() {
        let (slot, info) = (layout.slot(id), layout.info(id));
        let has_inside = slots.iter().any(|&other| layout.info(other).around == Some(id));
        let refused = |why: &str| Err(format!("`{}` {why}", info.site));
        let kind = match slot.kind {
            _ if slot.arena.is_some() => return refused("belongs to an arena"),
            _ if slot.patterns != Patterns::None => return refused("holds values with keys inside"),
            Kind::Values { count, .. } if has_inside => match pointers(layout, id) {
                None => FieldKind::Branch { count },
                Some((_, lengths)) if i == 0 || slots[i - 1] != id => {
                    FieldKind::Count { count, lengths: number_of(&lengths) }
                }
                Some((pointer, lengths)) => {
                    let empty = lengths.iter().take_while(|length| **length == 0).count();
                    let kind = FieldKind::Inside { node_type: list_of(pointer.pool, Some(pointer)) };
                    let there = There::From(empty as u32);
                    fields.push(Field { kind, around: Some((fields.len() - 1, there)) });
                    continue;
                }
            },
            Kind::Values { count, .. } => {
                FieldKind::Data { count, key: slot.holds_key().then_some(slot.lazy) }
            }
            Kind::Pointer(p) if p.ownership != Ownership::Unique => return refused("is no owner"),
            Kind::Pointer(p) if layout.pool(p.pool).size == 0 => {
                return refused("has no objects to lead to");
            }
            Kind::Pointer(p) if info.around.is_some_and(|around| pointers(layout, around).is_some()) => {
                let elements = info.around.map_or(0, |around| places[around.index()].field as usize + 1);
                FieldKind::Element { elements, node_type: type_of(p.pool), prefix: p.prefix }
            }
            Kind::Pointer(p) => {
                let prefix = p.prefix;
                FieldKind::Link { node_type: type_of(p.pool), first: p.first_choice(0), prefix }
            }
            Kind::Items { pool, .. } if layout.pool(pool).size == 0 => {
                return refused("has no objects to lead to");
            }
            Kind::Items { pool, prefix, count } if i == 0 || slots[i - 1] != id => {
                let these = &info.lengths;
                if !these.is_sorted() {
                    return refused("has lengths that do not ascend");
                }
                let number = number_of(these);
                list_of(pool, None);
                FieldKind::Length { count: prefix + count, prefix, lengths: number }
            }
            Kind::Items { pool, prefix, .. } => {
                let empty = info.lengths.iter().take_while(|length| **length == 0).count();
                let there = There::From(prefix + empty as u32);
                let kind = FieldKind::Inside { node_type: list_of(pool, None) };
                fields.push(Field { kind, around: Some((fields.len() - 1, there)) });
                continue;
            }
            Kind::Index { .. } => return refused("is an index into a vector"),
        };
        let around = info.around.map(|around| (places[around.index()].field as usize, info.there));
        fields.push(Field { kind, around });
    }
    Ok(fields)
}

/// The pointers of a vector whose length a slot has, all of one kind, and the lengths by choice. None if the slot is something
/// else. The slots of the pointers are next.
fn pointers(layout: &Layout, length: SlotId) -> Option<(Pointer, Vec<u32>)> {
    let Kind::Values { count, .. } = layout.kind(length) else { return None };
    let (mut pointer, mut lengths) = (None, vec![0; count as usize]);
    for slot in (length.index() as u32 + 1..).map(SlotId::new) {
        if slot.index() == layout.slots.len() || layout.info(slot).around != Some(length) {
            break;
        }
        let (Kind::Pointer(p), There::From(from)) = (layout.kind(slot), layout.info(slot).there) else {
            return None;
        };
        // Whether an object is reserved for it makes no difference here.
        let p = Pointer { prepaid: false, ..p };
        if p.ownership != Ownership::Unique || pointer.is_some_and(|known| known != p) {
            return None;
        }
        pointer = Some(p);
        lengths.iter_mut().skip(from as usize).for_each(|length| *length += 1);
    }
    let object = layout.info(length).object;
    let slots = layout.slot_ids().skip(length.index()).take_while(|slot| layout.info(*slot).object == object);
    let all = slots.filter(|slot| layout.info(*slot).around == Some(length)).count();
    let pointer = pointer.filter(|p| layout.pool(p.pool).size > 0)?;
    (lengths.last() == Some(&(all as u32))).then_some((pointer, lengths))
}
