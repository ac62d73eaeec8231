//! Type parameters of the copy own their data, since bounded types do. The copy says so.

use crate::syntax::parse_quote;
use syn::{Generics, ImplItem, Item};

/// Says that type parameters own their data.
pub(crate) fn own(generics: &mut Generics) {
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!('static));
    }
}

/// The same for an item and its functions.
pub(super) fn own_parameters(item: &mut Item) {
    match item {
        Item::Impl(block) => {
            own(&mut block.generics);
            for item in &mut block.items {
                if let ImplItem::Fn(f) = item {
                    own(&mut f.sig.generics);
                }
            }
        }
        Item::Fn(f) => own(&mut f.sig.generics),
        _ => {}
    }
}
