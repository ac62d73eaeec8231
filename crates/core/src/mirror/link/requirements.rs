//! Requirements: the objects that parts cannot do without, so that they can be reserved.

use crate::error::Error;
use crate::ids::{PoolId, SlotId};
use crate::layout::{Kind, Layout, Need};

/// What a part cannot do without.
#[derive(Debug, Clone, Copy)]
pub(super) enum Requirement {
    /// A mandatory, unique pointer: one object.
    Object(PoolId),
    /// Whatever the cheapest choice of a slot requires, by its number in [`Requirements::slots`].
    Cheapest(usize),
    /// Elements of a sequence, which a bound on the size of the whole value counts.
    Elements(u32),
}

/// What linking has found to be required.
#[derive(Default)]
pub(super) struct Requirements {
    /// By an object of each pool.
    pub pools: Vec<Vec<Requirement>>,
    /// By each choice, for slots whose choices require objects.
    pub slots: Vec<(SlotId, Vec<Vec<Requirement>>)>,
}

/// How many objects of each pool something costs; none if there is no end to it.
type Cost = Option<Vec<u32>>;

impl Requirements {
    /// Computes what each choice costs in elements, and nothing else: where pointers may alias, no object is required.
    pub fn resolve_elements(&self, layout: &mut Layout) {
        let Some(total) = &layout.total else { return };
        let elements = total.elements;
        for (slot, choices) in &self.slots {
            let mut needs: Vec<Need> = vec![];
            let mut is_needed = false;
            for requirements in choices {
                let count = elements_in(requirements);
                needs.push(if count > 0 { vec![(elements, count)] } else { vec![] });
                is_needed |= count > 0;
            }
            if is_needed {
                set_needs(layout, *slot, needs);
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
        for (slot, choices) in &self.slots {
            let choices = self.costs(choices, &costs);
            let least = cheapest(&choices, n).unwrap_or_else(|| vec![0; n]);
            let mut needs = vec![];
            for cost in &choices {
                needs.push(beyond(cost.as_deref(), &least));
            }
            set_needs(layout, *slot, needs);
        }
        let Some(root) = self.cost(root, &costs) else {
            return Err(Error::Contradiction {
                at: "the structure".into(),
                why: "it has no finite value: a mandatory pointer leads back to its own type".into(),
            });
        };
        if let Some(total) = &layout.total {
            let mut all = 0u32;
            for &need in &root {
                all = all.saturating_add(need);
            }
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
            let mut all = need;
            for other in &pool.siblings {
                all = all.saturating_add(root[other.index()]);
            }
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
                    let choices = self.costs(&self.slots[slot].1, pools);
                    cheapest(&choices, pools.len())?
                }
                // They are counted by the last pool.
                Requirement::Elements(n) => {
                    let mut part = vec![0; pools.len()];
                    if let Some(last) = part.last_mut() {
                        *last = n;
                    }
                    part
                }
            };
            for (pool, more) in part.into_iter().enumerate() {
                sum[pool] = sum[pool].saturating_add(more);
            }
        }
        Some(sum)
    }

    /// Returns what each choice of a slot costs.
    fn costs(&self, choices: &[Vec<Requirement>], pools: &[Cost]) -> Vec<Cost> {
        let mut costs = vec![];
        for requirements in choices {
            costs.push(self.cost(requirements, pools));
        }
        costs
    }
}

/// Returns how many elements of sequences something requires.
fn elements_in(requirements: &[Requirement]) -> u32 {
    let mut count = 0;
    for requirement in requirements {
        if let Requirement::Elements(n) = requirement {
            count += n;
        }
    }
    count
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
            let mut need = vec![(own, cost[pool] + 1)];
            for (i, &n) in cost.iter().enumerate() {
                if i != pool && n > 0 {
                    need.push((PoolId::new(i as u32), n));
                }
            }
            need
        }
        // More than any bound, so it is never made.
        None => vec![(own, u32::MAX)],
    }
}

/// What a choice needs beyond the cheapest one.
fn beyond(cost: Option<&[u32]>, least: &[u32]) -> Need {
    match cost {
        Some(cost) => {
            let mut need = vec![];
            for (i, &n) in cost.iter().enumerate() {
                if n > least[i] {
                    need.push((PoolId::new(i as u32), n - least[i]));
                }
            }
            need
        }
        None => vec![(PoolId::new(0), u32::MAX)],
    }
}

/// Pool by pool the least of several costs: a lower bound of each.
fn cheapest(costs: &[Cost], pools: usize) -> Cost {
    let mut least: Cost = None;
    for cost in costs.iter().flatten() {
        let least = least.get_or_insert_with(|| cost.clone());
        for pool in 0..pools {
            least[pool] = least[pool].min(cost[pool]);
        }
    }
    least
}
