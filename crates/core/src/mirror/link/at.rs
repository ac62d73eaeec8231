//! Where a cell is.

use super::components::Component;
use super::inner::Inside;
use crate::site::FieldSite;

/// Where a cell is: its field, and the pool that objects behind it come from.
#[derive(Debug, Clone, Copy)]
pub struct At {
    /// The field.
    pub site: &'static FieldSite,
    /// The number of the pool's name; 0 for the unnamed one.
    pub(crate) pool_name: u32,
    /// The input that the cell belongs to, if there are several.
    pub(crate) argument: Option<&'static str>,
    /// The disjoint part that it belongs to, counted from 1; 0 for none.
    pub(crate) part: u32,
    /// The type or the pool around it, in the graph of types.
    pub(crate) inside: Inside,
    /// The component of a tuple that it is, for bounds.
    pub(crate) component: Component,
}

impl At {
    /// The same pool name, another field.
    pub fn field(self, site: &'static FieldSite) -> At {
        At { site, ..self }
    }
}
