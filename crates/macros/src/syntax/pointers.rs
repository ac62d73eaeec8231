//! Types that hold raw pointers, by their looks.

use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{PathSegment, Type};

/// Where a type mentions a raw pointer: `*const T`, `*mut T` or `NonNull<T>`.
pub(crate) fn raw_pointer(ty: &Type) -> Option<Span> {
    struct Find(Option<Span>);
    impl VisitMut for Find {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            match ty {
                Type::Ptr(pointer) => {
                    self.0.get_or_insert(pointer.span());
                }
                other => visit_mut::visit_type_mut(self, other),
            }
        }
        fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
            if segment.ident == "NonNull" {
                self.0.get_or_insert(segment.span());
            }
            // A marker contains no pointer.
            if segment.ident != "PhantomData" {
                visit_mut::visit_path_segment_mut(self, segment);
            }
        }
    }
    let mut find = Find(None);
    find.visit_type_mut(&mut ty.clone());
    find.0
}
