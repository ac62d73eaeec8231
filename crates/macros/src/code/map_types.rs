//! Maps as arguments of the functions of a block: `&BTreeMap<u8, u8>` may be a field, which is a map of cells in the mirror.

use super::names;
use crate::syntax::is_one_of;
use syn::{GenericArgument, Path, PathArguments, Type, parse_quote};

/// Maps with mirrors.
pub(super) const MAPS: &[&str] = &["BTreeMap", "HashMap"];

/// Makes `&BTreeMap<K, u8>` a reference to a map of cells. Values that may be structures stand in maps of std.
pub(super) fn map_of_cells(ty: &mut Type) {
    let Type::Reference(r) = ty else { return };
    let Type::Path(p) = &mut *r.elem else { return };
    let Some(last) = p.path.segments.last() else { return };
    let PathArguments::AngleBracketed(list) = &last.arguments else { return };
    let is_plain =
        matches!(list.args.last(), Some(GenericArgument::Type(Type::Path(v))) if is_plain_data(&v.path));
    if r.mutability.is_some() || p.qself.is_some() || list.args.len() != 2 || !is_plain {
        return;
    }
    if is_one_of(&last.ident, MAPS) {
        let map = last.clone();
        *r.elem = parse_quote!(__p::mirror::#map);
    }
}

/// Whether a path is a type of std that is plain data.
fn is_plain_data(path: &Path) -> bool {
    const PLAIN: &str = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize char bool String";
    path.get_ident().is_some_and(|name| names::lists(PLAIN, &name.to_string()))
}
