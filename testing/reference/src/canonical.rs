//! Two canonical forms of an assignment.
//!
//! [`Form`] is equal for two assignments exactly if some renaming of the objects behind pointers turns one into the
//! other. It lists the contents of all reachable objects, breadth first from the root, with objects numbered as they
//! appear. (The order is breadth first on purpose: the engines number depth first.) Elements of a vector are
//! identified by their place.
//!
//! [`Arenas::unordered`] also forgets the order of the elements of vectors that are arenas, that is, those which
//! declared indices lead into: the smallest form over all permutations of those elements.

use smallscope_core::raw::{AnyRaw, Content, SlotView};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A canonical form; equal for isomorphic assignments of the same heap, and only for those.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(Vec<u32>);

/// An object: its pool and number, or `None` for the value itself.
type Object = Option<(u32, u32)>;

/// An order for the elements of some vectors, by slot: entry `i` is the old place of the new `i`-th element.
type Orders = BTreeMap<u32, Vec<u32>>;

impl Form {
    /// The form that identifies vector elements by their place.
    pub fn of(views: &[SlotView]) -> Form {
        Form::ordered(views, &Orders::new())
    }

    fn ordered(views: &[SlotView], orders: &Orders) -> Form {
        let mut fields: BTreeMap<Object, Vec<&SlotView>> = BTreeMap::new();
        views.iter().for_each(|v| fields.entry(v.object).or_default().push(v));
        let mut out = vec![];
        let mut numbers: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut queue: VecDeque<Object> = VecDeque::from([None]);
        while let Some(object) = queue.pop_front() {
            let fields = fields.get(&object).map_or(&[][..], Vec::as_slice);
            out.extend([object.map_or(u32::MAX, |o| o.0), fields.len() as u32]);
            for view in fields {
                match view.content {
                    Content::Value(v) => out.extend([0, v]),
                    Content::None(n) => out.extend([1, n]),
                    Content::Object { class, object, .. } => {
                        let next = numbers.len() as u32;
                        let number = *numbers.entry((class, object)).or_insert_with(|| {
                            queue.push_back(Some((class, object)));
                            next
                        });
                        out.extend([2, number]);
                    }
                    Content::Items { class, start, len } => {
                        let old_place = |i: u32| orders.get(&view.slot).map_or(i, |order| order[i as usize]);
                        queue.extend((0..len).map(|i| Some((class, start + old_place(i)))));
                        out.extend([3, len]);
                    }
                    Content::Index { class, object, position } => {
                        out.extend([4, place_of(views, orders, (class, object)).unwrap_or(position)]);
                    }
                }
            }
        }
        Form(out)
    }
}

/// The place of an element after reordering, if its vector is reordered at all.
fn place_of(views: &[SlotView], orders: &Orders, element: (u32, u32)) -> Option<u32> {
    views.iter().find_map(|v| match v.content {
        Content::Items { class, start, len }
            if class == element.0 && (start..start + len).contains(&element.1) =>
        {
            let order = orders.get(&v.slot)?;
            order.iter().position(|&old| start + old == element.1).map(|new| new as u32)
        }
        _ => None,
    })
}

/// The vectors that declared indices lead into.
#[derive(Debug, Clone)]
pub struct Arenas {
    slots: BTreeSet<u32>,
}

impl Arenas {
    /// Takes the declared indices from the layout.
    pub fn of(raw: &AnyRaw) -> Arenas {
        Arenas { slots: raw.arenas().into_iter().collect() }
    }

    /// Whether there are none, so that both forms are equivalent.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The form that ignores the order of arena elements.
    pub fn unordered(&self, views: &[SlotView]) -> Form {
        let mut all = vec![Orders::new()];
        for view in views.iter().filter(|v| self.slots.contains(&v.slot)) {
            let Content::Items { len, .. } = view.content else { continue };
            let with = |orders: &Orders, order: &Vec<u32>| {
                let mut orders = orders.clone();
                orders.insert(view.slot, order.clone());
                orders
            };
            let permutations = permutations(len);
            all = all.iter().flat_map(|orders| permutations.iter().map(move |p| with(orders, p))).collect();
        }
        let forms = all.iter().map(|orders| Form::ordered(views, orders));
        forms.min().unwrap_or_else(|| Form::of(views))
    }
}

/// All orders of `0..n`.
fn permutations(n: u32) -> Vec<Vec<u32>> {
    let Some(last) = n.checked_sub(1) else { return vec![vec![]] };
    let insert = |p: &Vec<u32>, at: usize| {
        let mut p = p.clone();
        p.insert(at, last);
        p
    };
    permutations(last).iter().flat_map(|p| (0..n as usize).map(move |at| insert(p, at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_factorially_many_permutations_and_no_two_are_equal() {
        for (n, count) in [(0, 1), (1, 1), (2, 2), (3, 6), (4, 24)] {
            assert_eq!(permutations(n).into_iter().collect::<BTreeSet<_>>().len(), count);
        }
    }
}
