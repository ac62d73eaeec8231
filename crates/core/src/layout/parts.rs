//! Disjoint parts of a structure: what fields say about them, and whether they can be searched on their own.
//!
//! A part is a group of fields of the structure. In a product each input is a part, with parts of its own if its fields
//! say so. What is searched on its own is a [`Group`] of parts: one of them, or a whole input.

use super::{Kind, Layout, Pointer, Pool};
use crate::error::Error;
use crate::guard::CAN_UNWIND;
use crate::ids::{PoolId, SlotId};
use std::any::TypeId;

/// The most parts that there can be.
pub(crate) const MOST_PARTS: usize = 60;

/// What a heap knows about its parts.
#[derive(Default)]
pub(crate) struct Parts {
    /// In the order of declaration; part `i + 1` is the one at `i`.
    all: Vec<PartInfo>,
    /// The inputs of a product, and their names.
    inputs: Vec<Input>,
    pub input_names: Vec<String>,
    /// The structure and inputs whose author vouches that unsafe code about one part does not rely on conjuncts about
    /// others.
    vouched: Vec<Option<usize>>,
    /// Parts in which a test that has a reference can change something, as bits.
    pub mutable: u64,
    /// Two parts that take objects from the same pool.
    shared: Vec<(PoolId, u32)>,
}

struct PartInfo {
    name: String,
    /// The input that it belongs to.
    input: Option<usize>,
    /// Declared by `part = ".."`, and not just a named pool.
    is_declared: bool,
}

/// An input of a product.
struct Input {
    /// The type of its cell.
    of: TypeId,
    /// The part for what belongs to none of its parts.
    part: u32,
}

/// What is searched on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub name: String,
    /// Its parts, as bits.
    pub mask: u64,
    /// The input that it belongs to.
    pub input: Option<usize>,
    /// Its only part, which the conjuncts of an invariant are about; none for a whole input.
    pub part: Option<u32>,
}

/// Which inputs are searched by parts.
#[derive(Default)]
pub(crate) struct Partition {
    /// The inputs, as bits.
    pub split: u64,
    /// Why others are not, although their fields declare parts.
    pub whys: Vec<String>,
}

impl Parts {
    /// The part of an input.
    pub fn add_input(&mut self, name: &str, of: TypeId) -> u32 {
        let input = self.inputs.len();
        self.all.push(PartInfo { name: name.to_owned(), input: Some(input), is_declared: false });
        let part = self.all.len() as u32;
        self.inputs.push(Input { of, part });
        self.input_names.push(name.to_owned());
        part
    }

    /// The part that a field of the structure, or of an input, belongs to. `outer` is the part of what it is a field of.
    pub fn add_field(&mut self, outer: u32, name: &str, is_declared: bool) -> u32 {
        let input = self.input(outer);
        let is_known = |part: &PartInfo| part.name == name && part.input == input;
        let first = outer as usize;
        if let Some(known) = self.all[first..].iter().position(is_known) {
            self.all[first + known].is_declared |= is_declared;
            return (first + known) as u32 + 1;
        }
        // One bit is left for part 0, and one for all parts.
        if self.all.len() >= 62 {
            return outer;
        }
        self.all.push(PartInfo { name: name.to_owned(), input, is_declared });
        self.all.len() as u32
    }

    /// Notes that the author of a structure vouches for its unsafe code.
    pub fn vouch(&mut self, outer: u32) {
        self.vouched.push(self.input(outer));
    }

    /// Whether unsafe code about one part of the structure, or of an input, does not rely on conjuncts about others.
    pub fn is_vouched(&self, input: Option<usize>) -> bool {
        self.vouched.contains(&input)
    }

    /// The input that a part belongs to.
    pub fn input(&self, part: u32) -> Option<usize> {
        self.all.get((part as usize).wrapping_sub(1)).and_then(|part| part.input)
    }

    /// The name of a part.
    pub fn name(&self, part: u32) -> &str {
        match part {
            0 => "",
            part => &self.all[part as usize - 1].name,
        }
    }

    /// The parts that the fields of the structure, or of an input, declare.
    fn of(&self, input: Option<usize>) -> Vec<u32> {
        let whole = input.map_or(0, |input| self.inputs[input].part);
        let mut parts = vec![];
        for part in 1..=self.all.len() as u32 {
            if part != whole && self.input(part) == input {
                parts.push(part);
            }
        }
        parts
    }

    /// The first of them.
    pub fn first(&self, input: Option<usize>) -> u32 {
        self.of(input).first().copied().unwrap_or(0)
    }

    /// The structure, or each of the inputs.
    fn structures(&self) -> Vec<Option<usize>> {
        let mut structures = vec![];
        for input in 0..self.inputs.len() {
            structures.push(Some(input));
        }
        if structures.is_empty() { vec![None] } else { structures }
    }

    /// All parts of an input, as bits.
    pub fn mask(&self, input: usize) -> u64 {
        let mut mask = 1 << self.inputs[input].part;
        for part in self.of(Some(input)) {
            mask |= 1 << part;
        }
        mask
    }

    /// What is searched on its own if some inputs, as bits, are searched by parts. Those of an input are side by side.
    pub fn groups(&self, split: u64) -> Vec<Group> {
        let mut groups = vec![];
        for input in self.structures() {
            if let Some(i) = input.filter(|i| split >> i & 1 == 0) {
                let name = self.input_names[i].clone();
                groups.push(Group { name, mask: self.mask(i), input, part: None });
                continue;
            }
            for part in self.of(input) {
                let name = match input {
                    Some(i) if self.inputs.len() > 1 => {
                        format!("{}: {}", self.input_names[i], self.name(part))
                    }
                    _ => self.name(part).to_owned(),
                };
                groups.push(Group { name, mask: 1 << part, input, part: Some(part) });
            }
        }
        groups
    }
}

impl Layout {
    /// Notes that pointers of a part lead to a pool that another pointer was the first to lead to.
    pub fn note_shared_pool(&mut self, pool: PoolId, part: u32) {
        if self.pool(pool).part != part {
            self.parts.shared.push((pool, part));
        }
    }

    /// What can be searched on its own, as far as the fields tell. An input whose fields declare parts has to be searched
    /// by parts if that is demanded. At least two groups are left.
    pub fn partition(&self, is_demanded: bool) -> Result<Partition, Error> {
        let parts = &self.parts;
        if self.total.is_some() {
            let why = "`size` bounds the whole value, so what one part has is missing in the others; use `scope`, or leave \
                       `disjoint` out";
            return Err(Error::NotDisjoint { at: "the structure".into(), why: why.into() });
        }
        let mut partition = Partition::default();
        if parts.inputs.is_empty() {
            return self.check_fields(None).map(|()| partition);
        }
        for input in 0..parts.inputs.len() {
            match self.check_fields(Some(input)) {
                Ok(()) => partition.split |= 1 << input,
                Err(error) if parts.inputs.len() == 1 => return Err(error),
                Err(error) if self.declares_parts(input) => match is_demanded {
                    true => return Err(error),
                    false => partition.whys.push(error.to_string()),
                },
                Err(_) => {}
            }
        }
        Ok(partition)
    }

    /// Whether fields of an input are in parts that were declared as such. A vector of structures has none.
    pub fn declares_parts(&self, input: usize) -> bool {
        let whole = self.parts.inputs[input].part;
        let is_declared = |part: &u32| self.parts.all[*part as usize - 1].is_declared;
        self.parts.of(Some(input)).iter().any(is_declared)
            && !self.infos.iter().any(|info| info.part == whole && info.site.owner.is_empty())
    }

    /// Whether the parts of the structure, or of an input, can be searched on their own, as far as the fields tell.
    fn check_fields(&self, input: Option<usize>) -> Result<(), Error> {
        let parts = &self.parts;
        let wrong = |at: String, why: String| Err(Error::NotDisjoint { at, why });
        let at = match input {
            Some(i) if parts.inputs.len() > 1 => parts.input_names[i].clone(),
            _ => "the structure".into(),
        };
        let own = parts.of(input);
        let Some(&first) = own.first() else {
            let why = "it has no parts; put `#[bounded(part = \"name\")]` on the fields of each part".into();
            return wrong(at, why);
        };
        let whole = input.map_or(0, |input| parts.inputs[input].part);
        if let Some(info) = self.infos.iter().find(|info| info.part == whole) {
            let mut known = vec![];
            for part in own {
                known.push(format!("`{}`", parts.name(part)));
            }
            let why = format!(
                "it belongs to no part; put `#[bounded(part = \"name\")]` on it (the others are in {})",
                known.join(", ")
            );
            return wrong(info.site.to_string(), why);
        }
        if parts.all.len() > MOST_PARTS {
            let why = format!("it has more parts than can be combined: at most {MOST_PARTS}");
            return wrong(at, why);
        }
        if own.len() == 1 {
            let why = format!(
                "all of its fields are in the part `{}`; put some of them into another one, with `#[bounded(part = \
                 \"name\")]`",
                parts.name(first)
            );
            return wrong(at, why);
        }
        if !CAN_UNWIND {
            let why =
                "to slice its invariant, panics must unwind, but this program has `panic = \"abort\"`".into();
            return wrong(at, why);
        }
        if let Some(&(pool, other)) = parts.shared.iter().find(|(_, part)| parts.input(*part) == input) {
            let Some(pool) = self.pools.get(pool.index()) else { return Ok(()) };
            let name = if pool.name.is_empty() { "unnamed".into() } else { format!("`{}`", pool.name) };
            let why = format!(
                "the parts `{}` and `{}` both take such objects from the {name} pool; give each part its own with \
                 `#[bounded(part = \"name\")]` or `pool = \"name\"`",
                parts.name(pool.part),
                parts.name(other)
            );
            return wrong(pool.site.to_string(), why);
        }
        for (slot, info) in self.slots.iter().zip(&self.infos) {
            let Kind::Index { arena, .. } = slot.kind else { continue };
            if parts.input(info.part) == input && self.info(arena).part != info.part {
                let why = format!(
                    "it is an index into `{}`, which is in another part; put both into the same one",
                    self.info(arena).site
                );
                return wrong(info.site.to_string(), why);
            }
        }
        Ok(())
    }

    /// Whether values of an input stay as they are while a test only has a reference to them, and need not be dropped
    /// after it.
    pub fn is_frozen(&self, input: usize) -> bool {
        self.parts.mask(input) & self.parts.mutable == 0 && !self.has_destructor
    }

    /// An earlier input that has the same values: of the same type and with the same bounds.
    pub fn twin(&self, input: usize) -> Option<usize> {
        let of = |input: usize| self.parts.inputs[input].of;
        (0..input).find(|&other| of(other) == of(input) && self.looks_like(other, input))
    }

    /// How far the parts of an input are behind those of an earlier one.
    pub fn offset(&self, earlier: usize, input: usize) -> u32 {
        self.parts.inputs[input].part - self.parts.inputs[earlier].part
    }

    fn looks_like(&self, a: usize, b: usize) -> bool {
        let (slots, pools) = self.of_input(a);
        let (other_slots, other_pools) = self.of_input(b);
        if slots.len() != other_slots.len() || pools.len() != other_pools.len() {
            return false;
        }
        for (i, a) in pools.iter().enumerate() {
            let b = other_pools[i];
            if !std::ptr::eq(a.site, b.site) || a.size != b.size || a.masks != b.masks {
                return false;
            }
        }
        (0..slots.len()).all(|i| self.are_alike(slots[i], other_slots[i]))
    }

    /// The slots and the pools of an input.
    fn of_input(&self, input: usize) -> (Vec<SlotId>, Vec<&Pool>) {
        let mask = self.parts.mask(input);
        let (mut slots, mut pools) = (vec![], vec![]);
        for slot in self.slot_ids() {
            if mask >> self.info(slot).part & 1 == 1 {
                slots.push(slot);
            }
        }
        for pool in &self.pools {
            if mask >> pool.part & 1 == 1 {
                pools.push(pool);
            }
        }
        (slots, pools)
    }

    /// Whether two slots have the same choices.
    fn are_alike(&self, a: SlotId, b: SlotId) -> bool {
        let kind = shape(self.kind(a));
        let (a_info, b_info) = (self.info(a), self.info(b));
        let has_same_needs = |choice: usize| {
            let (a, b) = (&a_info.needs[choice], &b_info.needs[choice]);
            a.len() == b.len() && (0..a.len()).all(|i| a[i].1 == b[i].1)
        };
        kind == shape(self.kind(b))
            && a_info.lengths == b_info.lengths
            && a_info.masks == b_info.masks
            && a_info.needs.len() == b_info.needs.len()
            && (0..a_info.needs.len()).all(has_same_needs)
            && match kind {
                Kind::Values { count, .. } => {
                    (0..count as usize).all(|i| (a_info.texts)(i as u32) == (b_info.texts)(i as u32))
                }
                _ => true,
            }
    }
}

/// A kind without the numbers of pools and slots in it.
fn shape(kind: Kind) -> Kind {
    match kind {
        Kind::Values { .. } => kind,
        Kind::Pointer(p) => Kind::Pointer(Pointer { pool: PoolId::default(), ..p }),
        Kind::Items { prefix, count, .. } => Kind::Items { pool: PoolId::default(), prefix, count },
        Kind::Index { prefix, count, .. } => Kind::Index { arena: SlotId::default(), prefix, count },
    }
}
