//! The walk over syntax trees, compiled once.
//!
//! The visitors of `syn` are generic: each one compiles the whole walk again, some 360 functions. Here visitors are
//! trait objects with only the methods that some visitor needs, and one adapter walks for all of them. Names and
//! defaults are those of `syn`. A method is compiled once per visitor, so nodes that no visitor stops at have none: a
//! visitor can only go on inside of them.
//!
//! Visitors that only look get mutable nodes, too, of a tree of their own if they have to: the walk that reads is another
//! 360 functions, and a feature of `syn`.

/// Visitors, and how they go on inside of nodes.
#[expect(clippy::ptr_arg, reason = "the types are those of `syn`")]
pub(crate) mod visit_mut {
    mod walk {
        pub(super) use syn::visit_mut::*;

        /// The only method of `syn` without a function.
        pub(super) fn visit_attributes_mut(visitor: &mut impl VisitMut, attributes: &mut [syn::Attribute]) {
            attributes.iter_mut().for_each(|attribute| visitor.visit_attribute_mut(attribute));
        }
    }

    /// A visitor as a trait object, which a default method has no other way to get.
    pub(crate) trait Dynamic {
        fn dynamic(&mut self) -> &mut dyn VisitMut;
    }

    impl<V: VisitMut> Dynamic for V {
        fn dynamic(&mut self) -> &mut dyn VisitMut {
            self
        }
    }

    struct Walk<'w>(&'w mut dyn VisitMut);

    macro_rules! visitors {
        ({ $($visit:ident: $node:ty,)* } only inside { $($inside:ident: $inner:ty,)* }) => {
            /// What a visitor does at nodes. By default it goes on inside of them.
            pub(crate) trait VisitMut: Dynamic {
                $(fn $visit(&mut self, node: &mut $node) {
                    $visit(self.dynamic(), node);
                })*
            }

            impl walk::VisitMut for Walk<'_> {
                $(fn $visit(&mut self, node: &mut $node) {
                    self.0.$visit(node);
                })*
            }

            $(visitors!(@inside $visit $node);)*
            $(visitors!(@inside $inside $inner);)*
        };
        (@inside $visit:ident $node:ty) => {
            /// Goes on inside of a node.
            pub(crate) fn $visit(visitor: &mut dyn VisitMut, node: &mut $node) {
                walk::$visit(&mut Walk(visitor), node);
            }
        };
    }

    visitors! {
        {
            visit_attribute_mut: syn::Attribute,
            visit_attributes_mut: Vec<syn::Attribute>,
            visit_block_mut: syn::Block,
            visit_const_param_mut: syn::ConstParam,
            visit_expr_mut: syn::Expr,
            visit_expr_call_mut: syn::ExprCall,
            visit_expr_method_call_mut: syn::ExprMethodCall,
            visit_expr_path_mut: syn::ExprPath,
            visit_expr_struct_mut: syn::ExprStruct,
            visit_field_value_mut: syn::FieldValue,
            visit_generic_argument_mut: syn::GenericArgument,
            visit_impl_item_fn_mut: syn::ImplItemFn,
            visit_impl_item_mut: syn::ImplItem,
            visit_item_fn_mut: syn::ItemFn,
            visit_item_impl_mut: syn::ItemImpl,
            visit_item_mut: syn::Item,
            visit_local_mut: syn::Local,
            visit_macro_mut: syn::Macro,
            visit_pat_mut: syn::Pat,
            visit_pat_ident_mut: syn::PatIdent,
            visit_pat_struct_mut: syn::PatStruct,
            visit_pat_tuple_struct_mut: syn::PatTupleStruct,
            visit_path_mut: syn::Path,
            visit_path_segment_mut: syn::PathSegment,
            visit_stmt_mut: syn::Stmt,
            visit_trait_bound_mut: syn::TraitBound,
            visit_type_mut: syn::Type,
            visit_type_param_mut: syn::TypeParam,
            visit_type_path_mut: syn::TypePath,
            visit_type_reference_mut: syn::TypeReference,
        } only inside {
            visit_data_mut: syn::Data,
            visit_generics_mut: syn::Generics,
            visit_path_arguments_mut: syn::PathArguments,
            visit_signature_mut: syn::Signature,
        }
    }
}
