//! Our own attributes on the members of a block, which no macro of their own expects there.

use super::ends_with;
use syn::{Attribute, Meta};
#[cfg(any(feature = "cover", feature = "mutate", feature = "sequences"))]
use {
    quote::ToTokens,
    syn::{Token, punctuated::Punctuated},
};

/// Removes the attributes with a name, and returns what was in them.
///
/// They are also removed from `cfg_attr`, as if its condition were that of the block: the block has its own attribute
/// only if that condition holds. Without the features that need them, the compiler finds them there by their paths, and they
/// do nothing.
pub(crate) fn take_marks(attributes: &mut Vec<Attribute>, name: &str) -> Vec<Meta> {
    let mut marks = vec![];
    attributes.retain_mut(|attribute| {
        if ends_with(attribute.path(), name) {
            marks.push(attribute.meta.clone());
            return false;
        }
        #[cfg(any(feature = "cover", feature = "mutate", feature = "sequences"))]
        if attribute.path().is_ident("cfg_attr") {
            return take_conditional(attribute, name, &mut marks);
        }
        true
    });
    marks
}

/// Returns whether the attribute still has something under its condition.
#[cfg(any(feature = "cover", feature = "mutate", feature = "sequences"))]
fn take_conditional(attribute: &mut Attribute, name: &str, marks: &mut Vec<Meta>) -> bool {
    let Meta::List(list) = &mut attribute.meta else { return true };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let Ok(parts) = parts else { return true };
    let mut rest = Punctuated::<Meta, Token![,]>::new();
    for part in parts {
        if !rest.is_empty() && ends_with(part.path(), name) {
            marks.push(part);
        } else {
            rest.push(part);
        }
    }
    list.tokens = rest.to_token_stream();
    rest.len() > 1
}
