//! Components of tuples: their names in bounds, and what their cells share.

use super::{At, TableKey, table_key};
use crate::cell::split::Wholes;
use crate::leaked::leak;
use crate::shape::Value;
use crate::site::FieldSite;
use std::any::{Any, TypeId};

/// A component of a tuple or range in a field, which may be a component of a tuple: one hexadecimal digit each, counted
/// from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Component(u64);

impl Component {
    /// The field itself.
    pub(crate) const NONE: Component = Component(0);

    fn of(self, i: u64) -> Component {
        Component(self.0 * 16 + i + 1)
    }

    /// The name behind that of the field: `.0.1`
    fn name(self) -> String {
        if self == Component::NONE {
            return String::new();
        }
        let of = Component(self.0 / 16).name();
        match self.0 % 16 - 1 {
            START => format!("{of}.start"),
            END => format!("{of}.end"),
            i => format!("{of}.{i}"),
        }
    }
}

/// The number of a range's start; tuples have fewer components.
pub(crate) const START: u64 = 13;

/// The number of a range's end.
pub(crate) const END: u64 = 14;

impl At {
    /// The same field, a component of the tuple that is in it.
    #[inline]
    pub(crate) fn component_of_value(self, i: u64) -> At {
        At { component: self.component.of(i), ..self }
    }

    /// The same, where the invariants of components are found, too.
    #[inline]
    pub(crate) fn component(self, i: u32) -> At {
        At { inside: self.inside.component(i), ..self.component_of_value(u64::from(i)) }
    }
}

/// What linking knows about components: names, and what their cells share.
#[derive(Default)]
pub(super) struct KnownComponents {
    /// The names of components, with the field that each is in.
    sites: Vec<(&'static FieldSite, Component, &'static FieldSite)>,
    /// The values that were put together, by type and place.
    wholes: Vec<(TableKey, &'static dyn Any)>,
}

impl KnownComponents {
    /// The name of a cell in bounds: that of the field, or of the component.
    pub(super) fn site(&mut self, at: At) -> &'static FieldSite {
        if at.component == Component::NONE {
            return at.site;
        }
        for (of, component, site) in &self.sites {
            if std::ptr::eq(*of, at.site) && *component == at.component {
                return site;
            }
        }
        let field = format!("{}{}", at.site.field, at.component.name());
        let site = leak(FieldSite {
            field: field.leak(),
            owner: at.site.owner,
            module: at.site.module,
            attrs: at.site.attrs,
        });
        self.sites.push((at.site, at.component, site));
        site
    }

    /// Adds the names of all components to those of the fields.
    pub(super) fn add_sites(&self, fields: &mut Vec<&'static FieldSite>) {
        for (_, _, site) in &self.sites {
            fields.push(site);
        }
    }

    /// The values that are put together for the cells of a field. An object has its own, because the address of its value
    /// is its identity.
    pub(super) fn wholes<T: Value>(&mut self, at: At, is_object: bool) -> &'static Wholes<T> {
        let new = || -> &'static Wholes<T> { Box::leak(Box::new(Wholes::new(T::HAS_CELLS))) };
        if is_object {
            return new();
        }
        let key = table_key(TypeId::of::<T>(), at);
        if let Some((_, any)) = self.wholes.iter().find(|(known, _)| *known == key) {
            return any.downcast_ref().expect("the type is part of the key");
        }
        let wholes = new();
        self.wholes.push((key, wholes));
        wholes
    }
}
