//! Which names mean what.

use crate::syntax::quote;
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use syn::{Attribute, Generics, Path, Visibility};

/// `Node` has the mirror `Node_in_the_invariant`: compiler messages and backtraces say this name.
pub(crate) fn mirror_type(name: &Ident) -> Ident {
    format_ident!("{name}_in_the_invariant", span = name.span())
}

/// Another name of the mirror of a structure, by which impl blocks import it. If it is missing, the compiler names it.
pub(crate) fn structure_import(name: &Ident) -> Ident {
    format_ident!("{name}_must_derive_Bounded", span = name.span())
}

/// Another name of the mirror of a structure or a helper type, by which attributes that list the type import it.
pub(crate) fn listed_import(name: &Ident) -> Ident {
    format_ident!("{name}_must_derive_Bounded_or_be_marked_mirror_or_opaque", span = name.span())
}

/// A name for a type whose parameters are not known: see `Scope::around`.
pub(crate) fn without_arguments(name: &Ident) -> Ident {
    format_ident!("{name}_without_arguments", span = name.span())
}

/// The names of a mirror, for what defines it.
pub(crate) fn imports(
    name: &Ident,
    mirror: &Ident,
    generics: &Generics,
    vis: &Visibility,
    conditions: &[Attribute],
) -> TokenStream {
    let import = |of: TokenStream, as_name: Ident| {
        let as_name = Ident::new(&as_name.to_string(), Span::call_site());
        quote! {
            #(#conditions)* #[doc(hidden)] #[allow(unused_imports, unreachable_pub)]
            #vis use #of as #as_name;
        }
    };
    let mut imports = import(quote!(#mirror), structure_import(name));
    imports.extend(import(quote!(#mirror), listed_import(name)));
    if !generics.params.is_empty() {
        imports.extend(import(quote!(::core::convert::Infallible), without_arguments(name)));
    }
    imports
}

/// The mirror of a function, such as `height`. If it is missing, the compiler names it.
pub(super) fn mirror_fn(name: &Ident) -> Ident {
    format_ident!("{name}_must_be_marked_mirror", span = name.span())
}

/// Types, variants and constants begin with a capital; variables, functions and modules do not.
pub(super) fn is_capital(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// The position of the first type name in a path.
pub(super) fn type_position(path: &Path) -> Option<usize> {
    for (i, segment) in path.segments.iter().enumerate() {
        if is_capital(&segment.ident) {
            return Some(i);
        }
    }
    None
}

/// `MAX_SIZE`, as opposed to `Red`. A single letter may be both and counts as a variant.
pub(crate) fn is_constant(name: &Ident) -> bool {
    let name = name.to_string();
    name.len() > 1 && !name.contains(char::is_lowercase)
}

/// Standard types with a mirror of the same name (but see [`pointer_mirror`]).
pub(super) fn is_pointer(name: &str) -> bool {
    matches!(name, "Box" | "Rc" | "Arc" | "Weak" | "RefCell" | "Ref" | "Cell")
}

/// The name of a pointer type in `mirror`. There are two `Weak`s in std; the path, or the other
/// names in the item, tell which one is meant.
pub(super) fn pointer_mirror(name: &Ident, weak_of_arc: bool) -> Ident {
    if name == "Weak" && weak_of_arc { Ident::new("SyncWeak", name.span()) } else { name.clone() }
}

/// Whether a path that begins like this leads into std; some of its modules are usually imported.
pub(super) fn is_std_module(name: &str) -> bool {
    const MODULES: &[&str] = &[
        "std",
        "core",
        "alloc",
        "rc",
        "sync",
        "cell",
        "boxed",
        "hash_map",
        "btree_map",
        "hash_set",
        "btree_set",
        "vec_deque",
        "collections",
        "fmt",
        "io",
        "mem",
        "ops",
        "cmp",
        "num",
        "str",
        "slice",
        "borrow",
        "any",
        "array",
        "ptr",
        "convert",
        "hash",
        "time",
        "thread",
        "option",
        "result",
        "string",
        "marker",
    ];
    MODULES.contains(&name)
}

/// Names that are taken for std's (unless listed in the attribute, or the type that the block is about), so
/// that they are not looked up as structures.
pub(super) fn is_std(name: &str) -> bool {
    is_pointer(name)
        || is_std_variant(name)
        || STD_TYPES.contains(&name)
        || STD_TRAITS.contains(&name)
        || name.starts_with("NonZero")
}

/// Variants and constructors of std that patterns use without a path.
pub(super) fn is_std_variant(name: &str) -> bool {
    matches!(
        name,
        "Some"
            | "None"
            | "Ok"
            | "Err"
            | "Less"
            | "Equal"
            | "Greater"
            | "Included"
            | "Excluded"
            | "Unbounded"
            | "Occupied"
            | "Vacant"
            | "Borrowed"
            | "Owned"
            | "Break"
            | "Continue"
            | "Reverse"
            | "Wrapping"
            | "Saturating"
    )
}

/// Types of std that are nowhere named without generic arguments. Such a name without them is a user's type.
pub(super) fn has_arguments_in_std(name: &str) -> bool {
    const NAMES: &str =
        "Range RangeInclusive Bound LinkedList BinaryHeap Cow ControlFlow Mutex RwLock NonNull PhantomData";
    lists(NAMES, name)
}

/// Types that invariants use for themselves. No more than that: a user's type that has one of these names
/// must be listed. `Visited` and `ClassSet` are ours, and the same on both sides.
const STD_TYPES: &[&str] = &[
    "Self",
    "Option",
    "Result",
    "String",
    "Vec",
    "VecDeque",
    "HashSet",
    "HashMap",
    "BTreeSet",
    "BTreeMap",
    "BinaryHeap",
    "LinkedList",
    "Ordering",
    "PhantomData",
    "NonNull",
    "Cow",
    "Range",
    "RangeInclusive",
    "ControlFlow",
    "Bound",
    "Mutex",
    "RwLock",
    "ManuallyDrop",
    "MaybeUninit",
    "Formatter",
    "Duration",
    "Instant",
    "Visited",
    "ClassSet",
];

/// Traits whose functions are called by path: `Ord::cmp(a, b)`. The last three are ours.
const STD_TRAITS: &[&str] = &[
    "Iterator",
    "IntoIterator",
    "FromIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "Default",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "FromStr",
    "Fn",
    "FnMut",
    "FnOnce",
    "Clone",
    "Ord",
    "PartialOrd",
    "Eq",
    "PartialEq",
    "Hash",
    "Hasher",
    "BuildHasher",
    "Debug",
    "Display",
    "ToString",
    "ToOwned",
    "AsRef",
    "AsMut",
    "Deref",
    "DerefMut",
    "Borrow",
    "BorrowMut",
    "Bounded",
    "Identity",
    "RepOk",
];

/// Whether a name is in a list with spaces between the names.
pub(super) fn lists(names: &str, name: &str) -> bool {
    names.split(' ').any(|n| n == name)
}

/// Names of associated functions that make a new value.
pub(super) fn is_constructor(name: &Ident) -> bool {
    let name = name.to_string();
    matches!(name.as_str(), "new" | "default" | "from" | "empty" | "builder" | "init")
        || name.starts_with("with_")
        || name.starts_with("from_")
}
