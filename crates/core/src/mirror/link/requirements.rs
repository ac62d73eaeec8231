//! Requirements: the objects that parts cannot do without, so that they can be reserved.

use crate::error::Error;
use crate::ids::{PoolId, SlotId};
use crate::layout::{Kind, Layout, Need};
use std::collections::HashMap;

/// What a part cannot do without.
#[derive(Debug, Clone, Copy)]
pub(super) enum Requirement {
    /// A mandatory, unique pointer: one object.
    Object(PoolId),
    /// Whatever the cheapest choice of a slot requires.
    Cheapest(SlotId),
    /// Elements of a sequence, which a bound on the size of the whole value counts.
    Elements(u32),
}

/// What linking has found to be required.
#[derive(Default)]
pub(super) struct Requirements {
    /// By an object of each pool.
    pub pools: Vec<Vec<Requirement>>,
    /// By each choice, for slots whose choices require objects.
    pub slots: HashMap<SlotId, Vec<Vec<Requirement>>>,
}

/// How many objects of each pool something costs; none if there is no end to it.
type Cost = Option<Vec<u32>>;

impl Requirements {
    /// Computes what each choice costs in elements, and nothing else: where pointers may alias, no object is required.
    pub fn resolve_elements(&self, layout: &mut Layout) {
        let Some(total) = &layout.total else { return };
        let elements = total.elements;
        let of_choice = |requirements: &Vec<Requirement>| -> Need {
            let count = |r: &Requirement| if let Requirement::Elements(n) = r { *n } else { 0 };
            match requirements.iter().map(count).sum() {
                0 => vec![],
                n => vec![(elements, n)],
            }
        };
        for (&slot, choices) in &self.slots {
            let needs: Vec<Need> = choices.iter().map(of_choice).collect();
            if needs.iter().any(|need| !need.is_empty()) {
                set_needs(layout, slot, needs);
            }
        }
    }

    /// Computes what a fresh object of each pool costs, what each choice costs beyond the cheapest, and what every value
    /// needs.
    pub fn resolve(&self, layout: &mut Layout, root: &[Requirement]) -> Result<(), Error> {
        let n = self.pools.len();
        let mut costs: Vec<Cost> = vec![None; n];
        loop {
            let before = costs.clone();
            for (pool, requirements) in self.pools.iter().enumerate() {
                costs[pool] = self.cost(requirements, &costs);
            }
            if costs == before {
                break;
            }
        }
        for (i, cost) in costs.iter().enumerate() {
            layout.pools[i].fresh = fresh(i, cost.as_deref());
        }
        for (&slot, choices) in &self.slots {
            let choices: Vec<Cost> = choices.iter().map(|r| self.cost(r, &costs)).collect();
            let least = cheapest(&choices, n).unwrap_or_else(|| vec![0; n]);
            set_needs(layout, slot, choices.iter().map(|cost| beyond(cost.as_deref(), &least)).collect());
        }
        let Some(root) = self.cost(root, &costs) else {
            return Err(Error::Contradiction {
                at: "the structure".into(),
                why: "it has no finite value: a mandatory pointer leads back to its own type".into(),
            });
        };
        if let Some(total) = &layout.total {
            let all = root.iter().copied().fold(0, u32::saturating_add);
            if all > total.size {
                return Err(Error::Contradiction {
                    at: "the structure".into(),
                    why: format!(
                        "every value has at least {all} objects and elements, and the size is {}",
                        total.size
                    ),
                });
            }
        }
        for (pool, &need) in layout.pools.iter_mut().zip(&root) {
            let siblings = pool.siblings.iter().map(|other| root[other.index()]);
            let all = siblings.fold(need, u32::saturating_add);
            if all > pool.size {
                return Err(Error::Contradiction {
                    at: pool.site.to_string(),
                    why: format!(
                        "every value needs at least {all} objects of this type, the bound is {}",
                        pool.size
                    ),
                });
            }
            pool.mandatory = need;
        }
        Ok(())
    }

    /// Returns the objects per pool that requirements add up to.
    fn cost(&self, requirements: &[Requirement], pools: &[Cost]) -> Cost {
        let mut sum = vec![0u32; pools.len()];
        for r in requirements {
            let part = match *r {
                Requirement::Object(pool) => {
                    let mut part = pools[pool.index()].clone()?;
                    part[pool.index()] = part[pool.index()].saturating_add(1);
                    part
                }
                Requirement::Cheapest(slot) => {
                    let choices: Vec<Cost> = self.slots[&slot].iter().map(|r| self.cost(r, pools)).collect();
                    cheapest(&choices, pools.len())?
                }
                // They are counted by the last pool.
                Requirement::Elements(n) => {
                    let mut part = vec![0; pools.len()];
                    part.iter_mut().last().into_iter().for_each(|last| *last = n);
                    part
                }
            };
            sum.iter_mut().zip(part).for_each(|(s, p)| *s = s.saturating_add(p));
        }
        Some(sum)
    }
}

/// Sets what each choice of a slot needs.
fn set_needs(layout: &mut Layout, slot: SlotId, needs: Vec<Need>) {
    layout.infos[slot.index()].needs = needs;
    let kind = &mut layout.slots[slot.index()].kind;
    if let Kind::Values { count, .. } = *kind {
        *kind = Kind::Values { count, frugal: false };
    }
}

/// What an object of a pool needs, itself first, given what it costs besides.
fn fresh(pool: usize, cost: Option<&[u32]>) -> Need {
    let own = PoolId::new(pool as u32);
    match cost {
        Some(cost) => {
            let others = cost.iter().enumerate().filter(|&(i, &n)| i != pool && n > 0);
            let others = others.map(|(i, &n)| (PoolId::new(i as u32), n));
            std::iter::once((own, cost[pool] + 1)).chain(others).collect()
        }
        // More than any bound, so it is never made.
        None => vec![(own, u32::MAX)],
    }
}

/// What a choice needs beyond the cheapest one.
fn beyond(cost: Option<&[u32]>, least: &[u32]) -> Need {
    match cost {
        Some(cost) => {
            let more = cost.iter().zip(least).enumerate().filter(|(_, (cost, least))| cost > least);
            more.map(|(i, (cost, least))| (PoolId::new(i as u32), cost - least)).collect()
        }
        None => vec![(PoolId::new(0), u32::MAX)],
    }
}

/// Pool by pool the least of several costs: a lower bound of each.
fn cheapest(costs: &[Cost], pools: usize) -> Cost {
    let finite: Vec<&Vec<u32>> = costs.iter().flatten().collect();
    if finite.is_empty() {
        return None;
    }
    Some((0..pools).map(|pool| finite.iter().map(|cost| cost[pool]).min().unwrap_or(0)).collect())
}
