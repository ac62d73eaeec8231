//! Generic methods: an instance for each set of types that is given for their parameters.

use super::options::Options;
use crate::syntax::parse_quote;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Error, Expr, GenericArgument, GenericParam, Ident, ImplItemFn, Result, Signature, Type, WherePredicate,
};

/// A method with everything in its signature known.
pub(super) struct Instance {
    pub signature: Signature,
    /// What its parameters stand for, in their order.
    pub parameters: Vec<GenericArgument>,
    /// What has to hold for types besides.
    pub clauses: Vec<WherePredicate>,
}

/// The instances of a method. One that is not generic has one.
pub(super) fn instances(
    method: &ImplItemFn,
    options: &Options,
    types: &[(Ident, Type)],
) -> Result<Vec<Instance>> {
    let given = |parameter: &GenericParam| match parameter {
        GenericParam::Type(parameter) => Some(parameter.ident.clone()),
        GenericParam::Const(parameter) => Some(parameter.ident.clone()),
        GenericParam::Lifetime(_) => None,
    };
    let signature = &method.sig;
    let parameters: Vec<Ident> = signature.generics.params.iter().filter_map(given).collect();
    for (name, _) in options.instances.iter().flatten() {
        if !parameters.contains(name) {
            return Err(Error::new(
                name.span(),
                format!(
                    "`{}` has no type parameter `{name}`; expected `skip`, `seen`, `nothing`, `moves`, or one of its \
                         parameters, as in `T = u8`",
                    signature.ident
                ),
            ));
        }
    }
    if parameters.is_empty() {
        return Ok(vec![one(signature, &[], &[], types)?]);
    }
    if options.instances.is_empty() {
        let types: Vec<String> = parameters.iter().map(|name| format!("{name} = ..")).collect();
        return Err(Error::new_spanned(
            &signature.generics,
            format!(
                "`{}` is generic: give its type parameters, `#[api({})]`, once for \
                 each instance, or leave it out with `#[api(skip)]`",
                signature.ident,
                types.join(", ")
            ),
        ));
    }
    options.instances.iter().map(|instance| one(signature, &parameters, instance, types)).collect()
}

fn one(
    signature: &Signature,
    parameters: &[Ident],
    given: &[(Ident, GenericArgument)],
    types: &[(Ident, Type)],
) -> Result<Instance> {
    let mut known = vec![];
    for parameter in parameters {
        let argument = given.iter().find(|(name, _)| name == parameter).map(|(_, argument)| argument.clone());
        let argument = argument.ok_or_else(|| {
            Error::new(
                given.first().map_or(parameter.span(), |(name, _)| name.span()),
                format!("`{parameter}` is missing: give it as well, as in `{parameter} = u8`"),
            )
        })?;
        known.push((parameter.clone(), argument));
    }
    let mut signature = signature.clone();
    let mut substitute = Substitute { known: &known, types };
    signature.inputs.iter_mut().for_each(|input| substitute.visit_fn_arg_mut(input));
    substitute.visit_return_type_mut(&mut signature.output);
    // Those about lifetimes are about what is borrowed, which a call decides for itself.
    let clause =
        signature.generics.where_clause.clone().filter(|_| signature.generics.lifetimes().next().is_none());
    let predicates = clause.into_iter().flat_map(|clause| clause.predicates);
    let mut clauses: Vec<_> = predicates.filter(|p| matches!(p, WherePredicate::Type(_))).collect();
    clauses.iter_mut().for_each(|predicate| substitute.visit_where_predicate_mut(predicate));
    Ok(Instance { signature, clauses, parameters: known.into_iter().map(|(_, argument)| argument).collect() })
}

/// Puts types and constants in for parameters, and for the types that a block of a trait's methods declares.
struct Substitute<'s> {
    known: &'s [(Ident, GenericArgument)],
    types: &'s [(Ident, Type)],
}

impl Substitute<'_> {
    fn parameter(&self, path: &syn::Path) -> Option<&GenericArgument> {
        let name = path.get_ident()?;
        self.known.iter().find(|(parameter, _)| parameter == name).map(|(_, argument)| argument)
    }

    /// What `Self::Item` is.
    fn declared(&self, path: &syn::Path) -> Option<&Type> {
        let (first, second) = (path.segments.first()?, path.segments.get(1)?);
        let is_own = path.segments.len() == 2 && first.ident == "Self";
        self.types.iter().find(|(name, _)| is_own && *name == second.ident).map(|(_, of)| of)
    }
}

impl VisitMut for Substitute<'_> {
    fn visit_type_mut(&mut self, of: &mut Type) {
        visit_mut::visit_type_mut(self, of);
        let Type::Path(path) = &*of else { return };
        if path.qself.is_some() {
            return;
        }
        let known = match self.parameter(&path.path) {
            Some(GenericArgument::Type(known)) => Some(known),
            Some(_) => None,
            None => self.declared(&path.path),
        };
        if let Some(known) = known {
            *of = known.clone();
        }
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let Expr::Path(path) = &*expression else { return };
        if let Some(argument) = self.parameter(&path.path) {
            *expression = parse_quote!({ #argument });
        }
    }
}
