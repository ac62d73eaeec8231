//! Walks over syntax trees, compiled once.
//!
//! The visitors of `syn` are generic: each one compiles the whole walk again, some 360 functions. Here visitors are
//! trait objects with only the methods that some visitor needs, and one adapter walks for all of them. Names and
//! defaults are those of `syn`. A method is compiled once per visitor, so nodes that no visitor stops at have none: a
//! visitor can only go on inside of them.

macro_rules! visitors {
    (
        $trait:ident [$($life:lifetime)?], $syn:path, $generics:tt
        { $($visit:ident: $node:ty,)* } only inside { $($inside:ident: $inner:ty,)* }
    ) => {
        /// A visitor as a trait object, which a default method has no other way to get.
        pub(crate) trait Dynamic<$($life)?> {
            fn dynamic(&mut self) -> &mut dyn $trait<$($life)?>;
        }

        impl<$($life,)? V: $trait<$($life)?>> Dynamic<$($life)?> for V {
            fn dynamic(&mut self) -> &mut dyn $trait<$($life)?> {
                self
            }
        }

        /// What a visitor does at nodes. By default it goes on inside of them.
        pub(crate) trait $trait<$($life)?>: Dynamic<$($life)?> {
            $(fn $visit(&mut self, node: $node) {
                $visit(self.dynamic(), node);
            })*
        }

        struct Walk<'w, $($life)?>(&'w mut dyn $trait<$($life)?>);

        impl<$($life)?> $syn for Walk<'_, $($life)?> {
            $(fn $visit(&mut self, node: $node) {
                self.0.$visit(node);
            })*
        }

        $(visitors!(@inside $trait $generics $visit $node);)*
        $(visitors!(@inside $trait $generics $inside $inner);)*
    };
    (@inside $trait:ident [$($life:lifetime)?] $visit:ident $node:ty) => {
        /// Goes on inside of a node.
        pub(crate) fn $visit<$($life)?>(visitor: &mut dyn $trait<$($life)?>, node: $node) {
            walk::$visit(&mut Walk(visitor), node);
        }
    };
}

/// Visitors that read.
pub(crate) mod visit {
    use syn::visit as walk;

    visitors! {
        Visit ['a], walk::Visit<'a>, ['a] {
            visit_block: &'a syn::Block,
            visit_const_param: &'a syn::ConstParam,
            visit_expr: &'a syn::Expr,
            visit_expr_call: &'a syn::ExprCall,
            visit_expr_method_call: &'a syn::ExprMethodCall,
            visit_expr_path: &'a syn::ExprPath,
            visit_expr_struct: &'a syn::ExprStruct,
            visit_impl_item: &'a syn::ImplItem,
            visit_impl_item_fn: &'a syn::ImplItemFn,
            visit_item: &'a syn::Item,
            visit_item_fn: &'a syn::ItemFn,
            visit_item_impl: &'a syn::ItemImpl,
            visit_macro: &'a syn::Macro,
            visit_pat: &'a syn::Pat,
            visit_pat_ident: &'a syn::PatIdent,
            visit_pat_struct: &'a syn::PatStruct,
            visit_pat_tuple_struct: &'a syn::PatTupleStruct,
            visit_path: &'a syn::Path,
            visit_path_segment: &'a syn::PathSegment,
            visit_trait_bound: &'a syn::TraitBound,
            visit_type: &'a syn::Type,
            visit_type_param: &'a syn::TypeParam,
            visit_type_path: &'a syn::TypePath,
            visit_type_reference: &'a syn::TypeReference,
        } only inside {
            visit_generics: &'a syn::Generics,
        }
    }
}

/// Visitors that change.
#[expect(clippy::ptr_arg, reason = "the types are those of `syn`")]
pub(crate) mod visit_mut {
    mod walk {
        pub(super) use syn::visit_mut::*;

        /// The only method of `syn` without a function.
        pub(super) fn visit_attributes_mut(visitor: &mut impl VisitMut, attributes: &mut [syn::Attribute]) {
            attributes.iter_mut().for_each(|attribute| visitor.visit_attribute_mut(attribute));
        }
    }

    visitors! {
        VisitMut [], walk::VisitMut, [] {
            visit_attribute_mut: &mut syn::Attribute,
            visit_attributes_mut: &mut Vec<syn::Attribute>,
            visit_block_mut: &mut syn::Block,
            visit_expr_mut: &mut syn::Expr,
            visit_field_value_mut: &mut syn::FieldValue,
            visit_generic_argument_mut: &mut syn::GenericArgument,
            visit_impl_item_fn_mut: &mut syn::ImplItemFn,
            visit_impl_item_mut: &mut syn::ImplItem,
            visit_item_fn_mut: &mut syn::ItemFn,
            visit_item_impl_mut: &mut syn::ItemImpl,
            visit_item_mut: &mut syn::Item,
            visit_local_mut: &mut syn::Local,
            visit_macro_mut: &mut syn::Macro,
            visit_path_mut: &mut syn::Path,
            visit_stmt_mut: &mut syn::Stmt,
            visit_trait_bound_mut: &mut syn::TraitBound,
            visit_type_mut: &mut syn::Type,
            visit_type_reference_mut: &mut syn::TypeReference,
        } only inside {
            visit_data_mut: &mut syn::Data,
            visit_expr_call_mut: &mut syn::ExprCall,
            visit_expr_method_call_mut: &mut syn::ExprMethodCall,
            visit_path_arguments_mut: &mut syn::PathArguments,
            visit_signature_mut: &mut syn::Signature,
            visit_type_path_mut: &mut syn::TypePath,
        }
    }
}
