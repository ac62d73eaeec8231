//! The current candidate as a graph of objects, and as text: one line per object.

use crate::ids::{ObjectId, PoolId, SlotId};
use crate::invariant::{Structure, catching_dead_ends};
use crate::layout::{Kind, Layout};
use crate::site::FieldSite;
use crate::walk::{Drawn, Walk};
use std::fmt;

/// The object graph of a candidate. Objects are numbered as they appear.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawing {
    /// The value itself first (or the inputs, when there are several), then the objects.
    pub nodes: Vec<DrawnNode>,
}

/// The value, an input, or an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnNode {
    /// `value`, the name of an input, or pool and number: `Node#0`.
    pub name: String,
    /// The object as [`SlotDescription`](super::SlotDescription) names it; none for the value and for inputs.
    pub object: Option<String>,
    /// Its fields, in the order of declaration.
    pub fields: Vec<DrawnField>,
}

/// A field and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnField {
    /// Its name; empty if the value is no structure with fields.
    pub name: String,
    /// What it holds, in words: one text, or a length and elements.
    pub values: Vec<DrawnValue>,
    /// How it is drawn, in words: `#[bounded(view(..))]`.
    pub view: Option<&'static str>,
}

/// What a field or an element holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnValue {
    /// In words. For a pointer, the name of its object; for a variant, its name and what its fields hold.
    pub text: String,
    /// It is a pointer to the object with that name.
    pub is_link: bool,
    /// The names of the objects that it leads to: as a pointer, or through the fields of a variant.
    pub links: Vec<String>,
    /// For the length of a vector of objects, and for an index into it: the pool of these objects.
    pub pool: Option<String>,
}

/// What a node stands for.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// An object: pool and number.
    Object(PoolId, ObjectId),
    /// The value itself, or one of several inputs.
    Value(Option<&'static str>),
}

/// A node that is being drawn.
struct Draft {
    place: Place,
    name: String,
    /// Its slots, in the order of the walk.
    slots: Vec<Drawn>,
}

/// Draws the current candidate.
pub(super) fn draw(structure: Structure) -> Drawing {
    let state = &structure.heap.state;
    let depth = state.borrow().path.len();
    let drawn = catching_dead_ends(|| Walk::draw(structure.heap, structure.root)).unwrap_or_default();
    let drawing = assemble(structure.heap.layout, drawn);
    state.borrow_mut().close_down_to(depth);
    drawing
}

fn assemble(layout: &Layout, drawn: Vec<Drawn>) -> Drawing {
    // Objects in the order of the walk.
    let mut drafts: Vec<Draft> = vec![];
    for drawn in drawn {
        let info = layout.info(drawn.slot);
        let place = match info.object {
            Some((pool, object)) => Place::Object(pool, object),
            None => Place::Value(info.argument),
        };
        let (mut at, mut of_pool) = (0, 0);
        while at < drafts.len() && drafts[at].place != place {
            if let (Place::Object(known, _), Place::Object(pool, _)) = (drafts[at].place, place) {
                of_pool += u32::from(known == pool);
            }
            at += 1;
        }
        if at == drafts.len() {
            let name = match place {
                Place::Value(argument) => argument.unwrap_or("value").to_owned(),
                Place::Object(pool, _) => format!("{}#{of_pool}", layout.pool_label(pool)),
            };
            drafts.push(Draft { place, name, slots: vec![] });
        }
        drafts[at].slots.push(drawn);
    }
    let mut nodes = vec![];
    for Draft { place, name, slots } in drafts {
        let object = match place {
            Place::Object(pool, object) => Some(format!("{}#{}", layout.pool_label(pool), object.number())),
            Place::Value(_) => None,
        };
        nodes.push(DrawnNode { name, object, fields: Slots { layout, place, slots: &slots }.fields() });
    }
    Drawing { nodes }
}

/// The slots of a node.
struct Slots<'a> {
    layout: &'a Layout,
    place: Place,
    slots: &'a [Drawn],
}

impl<'a> Slots<'a> {
    fn fields(&self) -> Vec<DrawnField> {
        let is_here = |slot: SlotId| self.slots.iter().any(|drawn| drawn.slot == slot);
        let mut outermost = vec![];
        for drawn in self.slots {
            if !self.layout.info(drawn.slot).around.is_some_and(is_here) {
                outermost.push(drawn);
            }
        }
        let mut fields = vec![];
        for (i, drawn) in outermost.iter().enumerate() {
            let site = self.layout.info(drawn.slot).site;
            // The elements of an array are under one name.
            let is_element = i > 0 && std::ptr::eq(site, self.layout.info(outermost[i - 1].slot).site);
            if !is_element || fields.is_empty() {
                let name = if self.is_bare(site, outermost.len()) { "" } else { site.field };
                fields.push(DrawnField { name: name.to_owned(), values: vec![], view: site.attrs.view });
            }
            self.put(drawn, site, &mut fields);
        }
        fields
    }

    /// Whether the node is no structure with fields.
    fn is_bare(&self, site: &FieldSite, outermost: usize) -> bool {
        match self.place {
            Place::Value(_) => site.owner.is_empty(),
            // What a pointer leads to has the name of the pointer's field if it has no fields of its own.
            Place::Object(pool, _) => outermost == 1 && self.layout.pool(pool).site.name != site.owner,
        }
    }

    /// Puts a slot and what is inside of it into the last field, or into further ones.
    fn put(&self, drawn: &Drawn, of: &'static FieldSite, fields: &mut Vec<DrawnField>) {
        let site = self.layout.info(drawn.slot).site;
        if !std::ptr::eq(site, of) {
            fields.push(DrawnField { name: site.field.to_owned(), values: vec![], view: site.attrs.view });
        }
        let inside = self.inside(drawn);
        let is_whole = inside.is_empty() || is_variant(drawn);
        let value = if is_whole { self.value(drawn) } else { self.plain(drawn) };
        if let Some(field) = fields.last_mut() {
            field.values.push(value);
        }
        if !is_whole {
            inside.iter().for_each(|drawn| self.put(drawn, site, fields));
        }
    }

    /// The slots that the value of a slot contains.
    fn inside(&self, of: &Drawn) -> Vec<&'a Drawn> {
        let mut inside = vec![];
        for drawn in self.slots {
            if self.layout.info(drawn.slot).around == Some(of.slot) {
                inside.push(drawn);
            }
        }
        inside
    }

    /// A slot with what is inside of it, as the source would write it.
    fn value(&self, drawn: &Drawn) -> DrawnValue {
        let inside = self.inside(drawn);
        if inside.is_empty() {
            return self.plain(drawn);
        }
        let name = |drawn: &Drawn| self.layout.info(drawn.slot).site.field;
        let is_variant = is_variant(drawn);
        let has_names = is_variant && !inside.iter().all(|drawn| is_number(name(drawn)));
        let (mut texts, mut links) = (vec![], vec![]);
        for drawn in inside {
            let mut value = self.value(drawn);
            texts.push(if has_names { format!("{}: {}", name(drawn), value.text) } else { value.text });
            links.append(&mut value.links);
        }
        let texts = texts.join(", ");
        let text = match (is_variant, has_names) {
            (false, _) => format!("[{texts}]"),
            (true, false) => format!("{}({texts})", drawn.text),
            (true, true) => format!("{} {{ {texts} }}", drawn.text),
        };
        DrawnValue { text, is_link: false, links, pool: None }
    }

    /// A slot by itself.
    fn plain(&self, Drawn { slot, text, is_link }: &Drawn) -> DrawnValue {
        let links = if *is_link { vec![text.clone()] } else { vec![] };
        let pool = self.objects_of(*slot).map(|pool| self.layout.pool_label(pool).to_string());
        DrawnValue { text: text.clone(), is_link: *is_link, links, pool }
    }

    /// The pool of the objects of a vector, for its length and for an index into it.
    fn objects_of(&self, slot: SlotId) -> Option<PoolId> {
        match self.layout.kind(slot) {
            Kind::Items { pool, .. } => Some(pool),
            Kind::Index { arena, .. } => self.objects_of(arena),
            _ => None,
        }
    }
}

/// Whether the name of a field is that of a field of a tuple.
fn is_number(name: &str) -> bool {
    name.as_bytes().first().is_some_and(u8::is_ascii_digit)
}

/// Whether a slot with others inside holds a variant, and not a length: the text is a name.
fn is_variant(drawn: &Drawn) -> bool {
    !drawn.is_link && drawn.text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, DrawnNode { name, fields, .. }) in self.nodes.iter().enumerate() {
            write!(f, "{}{name}: ", if i == 0 { "" } else { "\n" })?;
            for (i, field) in fields.iter().enumerate() {
                write!(f, "{}{field}", if i == 0 { "" } else { ", " })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for DrawnField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, "{} = ", self.name)?;
        }
        for (i, value) in self.values.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { ", " }, value.text)?;
        }
        Ok(())
    }
}
