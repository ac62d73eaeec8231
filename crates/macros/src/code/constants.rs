//! Constants of the type that are defined in another impl block.
//!
//! `Self::LIMIT` in the copy is a constant of the mirror, which has only those of the block and of `#[mirror]` blocks. The
//! others are plain data, so the copy takes them from the user's type.

use super::{Kind, mentions, names, std_macros};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Names, parse_quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ImplItem, ItemImpl, Macro, Path};

/// Turns constants of the block's type into those of the user's type.
pub(super) struct Constants {
    own: String,
    /// Defined in the block.
    defined: Names,
}

impl Constants {
    /// `None` for blocks that need not be about a structure.
    pub(super) fn of(kind: Kind, block: &ItemImpl) -> Option<Constants> {
        if kind == Kind::Mirror {
            return None;
        }
        let mut defined = Names::default();
        for item in &block.items {
            if let ImplItem::Const(c) = item {
                defined.insert(c.ident.to_string());
            }
        }
        Some(Constants { own: mentions::self_name(block)?, defined })
    }

    fn is_outside(&self, path: &Path) -> bool {
        if path.leading_colon.is_some() || path.segments.len() != 2 || !path.segments[0].arguments.is_none() {
            return false;
        }
        let (of, name) = (&path.segments[0].ident, &path.segments[1].ident);
        (of == "Self" || *of == self.own)
            && names::is_constant(name)
            && !self.defined.contains(&name.to_string())
    }
}

impl VisitMut for Constants {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(p) if p.qself.is_none() && self.is_outside(&p.path) => {
                let (span, name) = (p.path.segments[0].span(), &p.path.segments[1]);
                *e = parse_quote_spanned!(span=> <<Self as __p::InCopy>::Constants>::#name);
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        std_macros::change(mac, &mut |e| self.visit_expr_mut(e));
    }
}
