//! Which types contain which, to find the invariants of parts.
//!
//! The invariant of a type is a conjunct of every other type that contains it. A type that contains itself, directly or by
//! way of others, is responsible for the values of these types inside it: its invariant sees them through `self`, and may
//! mean only the outermost one (`parent.is_none()`, `size == count`). So a field is checked unless its values can contain the
//! type that has the field.

use super::At;
use crate::error::Error;
use crate::ids::PoolId;
use crate::layout::{Inner, Layout, Places};
use crate::site::{ConjunctSite, FieldSite};
use std::any::TypeId;

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

impl Inside {
    /// The same place, a component of the tuple there.
    #[inline]
    pub(super) fn component(self, i: u32) -> Inside {
        Inside { component: component(self.component, i), ..self }
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
    nodes: Vec<Node>,
    /// The node of each pool that has one.
    pools: Vec<Option<u32>>,
    /// The types and pools that values of a field have in them.
    contents: Vec<(Place, Vec<u32>)>,
    checks: Vec<Field>,
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
    contents: Vec<u32>,
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
        let is_this = |c: &Field| c.owner == owner && c.index == index && c.part == at.part && c.home == home;
        if !self.checks.iter().any(is_this) {
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
        match self.nodes.iter().position(|node| node.of == Some(of)) {
            Some(node) => node as u32,
            None => self.add(Node { of: Some(of), ..Node::default() }),
        }
    }

    fn node_of_pool(&mut self, pool: PoolId) -> u32 {
        while self.pools.len() <= pool.index() {
            self.pools.push(None);
        }
        if let Some(node) = self.pools[pool.index()] {
            return node;
        }
        let node = self.add(Node::default());
        self.pools[pool.index()] = Some(node);
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
        let contents = match at.inside {
            Inside { is_in_pool: true, node: pool, .. } => &mut self.nodes[pool as usize].contents,
            Inside { component, .. } => {
                let place = (std::ptr::from_ref(at.site), component);
                let known = self.contents.iter().position(|(known, _)| *known == place);
                let i = known.unwrap_or(self.contents.len());
                if known.is_none() {
                    self.contents.push((place, vec![]));
                }
                &mut self.contents[i].1
            }
        };
        if !contents.contains(&node) {
            contents.push(node);
        }
    }

    /// The types and pools that values of a field, with all its components, have in them.
    fn contents_of(&self, site: &'static FieldSite) -> Vec<u32> {
        let mut contents = vec![];
        for (place, nodes) in &self.contents {
            if std::ptr::eq(place.0, site) {
                contents.extend_from_slice(nodes);
            }
        }
        contents
    }

    /// Whether each type and pool can be reached from some of them, these included: through all fields, or through those
    /// that are checked.
    fn reach(&self, from: Vec<u32>, through: Through) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut todo = from;
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut reached[node as usize], true) {
                continue;
            }
            let node = &self.nodes[node as usize];
            todo.extend_from_slice(&node.contents);
            for &site in &node.fields {
                if through == Through::All || !site.attrs.unchecked {
                    todo.extend(self.contents_of(site));
                }
            }
        }
        reached
    }

    /// Whether values of a field can contain the type that has the field.
    fn is_recursive(&self, field: &Field) -> bool {
        let place = (std::ptr::from_ref(field.site), field.component);
        let contents = self.contents.iter().find(|(known, _)| *known == place);
        contents.is_some_and(|(_, nodes)| self.reach(nodes.clone(), Through::All)[field.owner as usize])
    }

    /// Finds the invariants of parts; none if there are none. An error if a field is said to be unchecked that nothing would
    /// check.
    pub(super) fn finish(mut self, layout: &Layout) -> Result<Option<Inner>, Error> {
        let mut fields = std::mem::take(&mut self.checks);
        fields.retain(|field| !self.is_recursive(field));
        self.check_attributes(&fields)?;
        let live = self.reach(vec![0], Through::Checked);
        fields.retain(|field| !field.site.attrs.unchecked && live[field.owner as usize]);
        if fields.is_empty() {
            return Ok(None);
        }
        let mut inner = Inner::new(!self.aborts, std::mem::take(&mut self.places));
        for field in &fields {
            inner.add(field.of, field.index, field.part, field.home, site_of(field));
        }
        // What each field leads to. The slots of a field are many.
        let mut known: Vec<(&FieldSite, Vec<bool>)> = vec![];
        for info in &layout.infos {
            let place = known.iter().position(|(site, _)| std::ptr::eq(*site, info.site));
            let place = place.unwrap_or(known.len());
            if place == known.len() {
                let from = if info.site.attrs.unchecked { vec![] } else { self.contents_of(info.site) };
                known.push((info.site, self.reach(from, Through::Checked)));
            }
            let reached = &known[place].1;
            inner.add_slot(info.part, &|check| reached[fields[check].owner as usize]);
        }
        Ok(Some(inner))
    }

    /// Checks that `unchecked` is of use wherever it is given.
    fn check_attributes(&self, checks: &[Field]) -> Result<(), Error> {
        for node in &self.nodes {
            for &site in &node.fields {
                if site.attrs.unchecked && !self.leads_to_check(site, checks) {
                    let why = "its attribute says `unchecked`, but no invariant would be checked in the field: its values \
                               have none, or can contain the type that has the field"
                        .into();
                    return Err(Error::Contradiction { at: site.to_string(), why });
                }
            }
        }
        Ok(())
    }

    /// Whether a field, or one that its values contain, has an invariant.
    fn leads_to_check(&self, site: &'static FieldSite, checks: &[Field]) -> bool {
        let reached = self.reach(self.contents_of(site), Through::All);
        checks.iter().any(|check| std::ptr::eq(check.site, site) || reached[check.owner as usize])
    }
}

/// The fields that lead from a type to others.
#[derive(Clone, Copy, PartialEq)]
enum Through {
    All,
    Checked,
}

/// A check as a conjunct.
fn site_of(field: &Field) -> ConjunctSite {
    let of_argument = field.argument.map(|name| format!(" in {name}")).unwrap_or_default();
    let text = format!("{} of {}{of_argument}", field.invariant, field.site);
    ConjunctSite { text: text.leak(), line: 0, is_pure: true, is_movable: true }
}
