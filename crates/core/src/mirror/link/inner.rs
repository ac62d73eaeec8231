//! Which types contain which, to find the invariants of parts.
//!
//! The invariant of a type is a conjunct of every other type that contains it. A type that contains itself, directly or by
//! way of others, is responsible for the values of these types inside it: its invariant sees them through `self`, and may
//! mean only the outermost one (`parent.is_none()`, `size == count`). So a field is checked unless its values can contain the
//! type that has the field.

use super::At;
use crate::error::Error;
use crate::ids::PoolId;
use crate::layout::{Inner, InnerCheck, Layout, Places};
use crate::site::{ConjunctSite, FieldSite};
use std::any::TypeId;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where in the graph of types a cell is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inside {
    /// The type or the pool around it.
    node: u32,
    /// It is in an object of a pool, and in no structure there.
    is_in_pool: bool,
    /// The component of a tuple; 0 for none.
    component: u32,
    /// A field around it is not checked, and no pool is between.
    is_unchecked: bool,
    /// The disjoint part of the structure around it.
    home: u32,
}

impl At {
    /// The same field, a component of it.
    #[inline]
    pub(crate) fn component(self, i: u32) -> At {
        let component = component(self.inside.component, i);
        At { inside: Inside { component, ..self.inside }, ..self }
    }
}

/// The number of a component of a tuple, which may be a component of a tuple.
#[inline]
fn component(outer: u32, i: u32) -> u32 {
    outer * 8 + i + 1
}

/// A field, or a component of one.
type Place = (*const FieldSite, u32);

/// The types, the pools between them, and the fields that have an invariant.
#[derive(Default)]
pub struct Graph {
    types: HashMap<TypeId, u32>,
    pools: HashMap<PoolId, u32>,
    nodes: Vec<Node>,
    /// The types and pools that values of a field have in them.
    contents: HashMap<Place, BTreeSet<u32>>,
    checks: Vec<Field>,
    known: HashSet<(u32, u32, u32, u32)>,
    places: Places,
    /// Panics of an invariant end the process.
    aborts: bool,
}

/// A type or a pool.
#[derive(Default)]
struct Node {
    /// The type.
    of: Option<TypeId>,
    /// The fields of a type, in the order in which they were first linked.
    fields: Vec<&'static FieldSite>,
    /// The types of the objects of a pool, or the pools that these have pointers to.
    contents: BTreeSet<u32>,
}

/// A field that has an invariant.
struct Field {
    owner: u32,
    of: TypeId,
    index: u32,
    component: u32,
    site: &'static FieldSite,
    part: u32,
    /// The disjoint part of the structures that have the field.
    home: u32,
    argument: Option<&'static str>,
    invariant: &'static str,
}

impl Graph {
    /// Enters a structure.
    pub fn structure<P: ?Sized + 'static>(&mut self, at: At, this: &P) -> At {
        let of = TypeId::of::<P>();
        let node = self.node_of(of);
        self.leads_to(at, node);
        let is_unchecked = at.inside.is_unchecked;
        if at.part != 0 || is_unchecked {
            self.places.note(std::ptr::from_ref(this).cast(), of, at.part, is_unchecked);
        }
        At { inside: Inside { node, is_in_pool: false, component: 0, is_unchecked, home: at.part }, ..at }
    }

    /// Notes whether the values of a field, or of a component of it, have an invariant. `index` numbers such fields of a type.
    /// `silence` keeps the panic hook silent about an invariant that relies on them and runs before; none if panics end the
    /// process.
    pub fn check(
        &mut self,
        at: At,
        index: u32,
        components: &[u32],
        invariant: Option<&'static str>,
        silence: Option<fn()>,
    ) {
        let Inside { node: owner, home, .. } = at.inside;
        let (Some(invariant), Some(of)) = (invariant, self.nodes[owner as usize].of) else { return };
        self.aborts |= silence.is_none();
        silence.iter().for_each(|silence| silence());
        if self.known.insert((owner, index, at.part, home)) {
            self.checks.push(Field {
                owner,
                of,
                index,
                component: components.iter().fold(0, |outer, &i| component(outer, i)),
                site: at.site,
                part: at.part,
                home,
                argument: at.argument,
                invariant,
            });
        }
    }

    /// Whether a part has an invariant.
    pub(super) fn has_checks(&self) -> bool {
        !self.checks.is_empty()
    }

    /// The value itself.
    pub(super) fn root(&mut self, site: &'static FieldSite) -> Inside {
        let root = self.add(Node { fields: vec![site], ..Node::default() });
        Inside { node: root, is_in_pool: false, component: 0, is_unchecked: false, home: 0 }
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn node_of(&mut self, of: TypeId) -> u32 {
        if let Some(&node) = self.types.get(&of) {
            return node;
        }
        let node = self.add(Node { of: Some(of), ..Node::default() });
        self.types.insert(of, node);
        node
    }

    fn node_of_pool(&mut self, pool: PoolId) -> u32 {
        if let Some(&node) = self.pools.get(&pool) {
            return node;
        }
        let node = self.add(Node::default());
        self.pools.insert(pool, node);
        node
    }

    /// Enters the objects of a pool.
    pub(super) fn pool(&mut self, at: At, pool: PoolId) -> At {
        let node = self.node_of_pool(pool);
        At { inside: Inside { node, is_in_pool: true, component: 0, is_unchecked: false, home: 0 }, ..at }
    }

    /// Enters a field.
    pub(super) fn field(&mut self, inside: Inside, site: &'static FieldSite) -> Inside {
        let fields = &mut self.nodes[inside.node as usize].fields;
        if !fields.iter().any(|known| std::ptr::eq(*known, site)) {
            fields.push(site);
        }
        let is_unchecked = inside.is_unchecked || site.attrs.unchecked;
        Inside { component: 0, is_in_pool: false, is_unchecked, ..inside }
    }

    /// Notes that pointers or vectors at a place lead to a pool.
    pub(super) fn leads_to_pool(&mut self, at: At, pool: PoolId) {
        let node = self.node_of_pool(pool);
        self.leads_to(at, node);
    }

    fn leads_to(&mut self, at: At, node: u32) {
        match at.inside {
            Inside { is_in_pool: true, node: pool, .. } => {
                self.nodes[pool as usize].contents.insert(node);
            }
            Inside { component, .. } => {
                self.contents.entry((std::ptr::from_ref(at.site), component)).or_default().insert(node);
            }
        }
    }

    /// The types and pools that values of a field, with all its components, have in them.
    fn contents_of(&self, site: &'static FieldSite) -> impl Iterator<Item = u32> {
        let site = std::ptr::from_ref(site);
        self.contents
            .iter()
            .filter(move |(place, _)| place.0 == site)
            .flat_map(|(_, nodes)| nodes.iter().copied())
    }

    /// Everything that can be reached from some types and pools, these included.
    fn reach(
        &self,
        from: impl Iterator<Item = u32>,
        is_followed: impl Fn(&FieldSite) -> bool,
    ) -> HashSet<u32> {
        let mut todo: Vec<u32> = from.collect();
        let mut reached = HashSet::new();
        while let Some(node) = todo.pop() {
            if reached.insert(node) {
                let node = &self.nodes[node as usize];
                todo.extend(&node.contents);
                for &site in node.fields.iter().filter(|site| is_followed(site)) {
                    todo.extend(self.contents_of(site));
                }
            }
        }
        reached
    }

    /// Whether values of a field can contain the type that has the field.
    fn is_recursive(&self, field: &Field) -> bool {
        let contents = self.contents.get(&(std::ptr::from_ref(field.site), field.component));
        self.reach(contents.into_iter().flatten().copied(), |_| true).contains(&field.owner)
    }

    /// Finds the invariants of parts; none if there are none. An error if a field is said to be unchecked that nothing would
    /// check.
    pub(super) fn finish(mut self, layout: &Layout) -> Result<Option<Inner>, Error> {
        let everything = std::mem::take(&mut self.checks);
        let checks: Vec<Field> = everything.into_iter().filter(|field| !self.is_recursive(field)).collect();
        self.check_attributes(&checks)?;
        let live = self.reach(std::iter::once(0), |site| !site.attrs.unchecked);
        let checks: Vec<Field> =
            checks.into_iter().filter(|c| !c.site.attrs.unchecked && live.contains(&c.owner)).collect();
        if checks.is_empty() {
            return Ok(None);
        }
        let mut reached: HashMap<*const FieldSite, HashSet<u32>> = HashMap::new();
        for site in layout.infos.iter().map(|info| info.site) {
            reached.entry(std::ptr::from_ref(site)).or_insert_with(|| match site.attrs.unchecked {
                true => HashSet::new(),
                false => self.reach(self.contents_of(site), |site| !site.attrs.unchecked),
            });
        }
        let numbered = checks.iter().enumerate();
        let can_wait = !self.aborts;
        Ok(Some(Inner::new(
            can_wait,
            numbered.map(|(number, c)| InnerCheck::new(number, c.of, c.index, c.part, c.home)).collect(),
            checks.iter().map(site_of).collect(),
            layout.slots.len(),
            self.places,
            |slot, check| {
                let (info, check) = (layout.info(slot), &checks[check]);
                let is_same_part = info.part == 0 || check.home == 0 || info.part == check.home;
                is_same_part && reached[&std::ptr::from_ref(info.site)].contains(&check.owner)
            },
        )))
    }

    /// Checks that `unchecked` is of use wherever it is given.
    fn check_attributes(&self, checks: &[Field]) -> Result<(), Error> {
        let owners: HashSet<u32> = checks.iter().map(|check| check.owner).collect();
        let unchecked = self.nodes.iter().flat_map(|node| &node.fields).filter(|site| site.attrs.unchecked);
        for &site in unchecked {
            let is_direct = checks.iter().any(|check| std::ptr::eq(check.site, site));
            if !is_direct && self.reach(self.contents_of(site), |_| true).is_disjoint(&owners) {
                let why = "its attribute says `unchecked`, but no invariant would be checked in the field: its values have \
                           none, or can contain the type that has the field"
                    .into();
                return Err(Error::Contradiction { at: site.to_string(), why });
            }
        }
        Ok(())
    }
}

/// A check as a conjunct.
fn site_of(field: &Field) -> ConjunctSite {
    let of_argument = field.argument.map(|name| format!(" in {name}")).unwrap_or_default();
    let text = format!("{} of {}{of_argument}", field.invariant, field.site);
    ConjunctSite { text: text.leak(), line: 0, is_pure: true, is_movable: true }
}
