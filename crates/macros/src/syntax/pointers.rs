//! Types that hold raw pointers, by their looks.

use crate::syntax::visit::{self, Visit};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{PathSegment, Type};

/// Where a type mentions a raw pointer: `*const T`, `*mut T` or `NonNull<T>`.
pub(crate) fn raw_pointer(ty: &Type) -> Option<Span> {
    struct Find(Option<Span>);
    impl<'a> Visit<'a> for Find {
        fn visit_type(&mut self, ty: &'a Type) {
            match ty {
                Type::Ptr(pointer) => {
                    self.0.get_or_insert(pointer.span());
                }
                other => visit::visit_type(self, other),
            }
        }
        fn visit_path_segment(&mut self, segment: &'a PathSegment) {
            if segment.ident == "NonNull" {
                self.0.get_or_insert(segment.span());
            }
            // A marker contains no pointer.
            if segment.ident != "PhantomData" {
                visit::visit_path_segment(self, segment);
            }
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}
