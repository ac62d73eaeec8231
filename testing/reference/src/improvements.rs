//! The improvements of the lazy engine, to run it with and without each.

use smallscope_core::options::Improvements;

/// Each improvement with its name. New ones are added only here.
pub const FLAGS: &[(&str, Flag)] = &[
    ("promises", |i| &mut i.promises),
    ("resume", |i| &mut i.resume),
    ("order", |i| &mut i.order),
    ("plan", |i| &mut i.plan),
];

/// One of the improvements.
pub type Flag = fn(&mut Improvements) -> &mut bool;

/// All on, all off, each one alone off, each one alone on; no combination twice.
pub fn variants() -> Vec<Improvements> {
    let all = |is_on: bool| {
        let mut improvements = Improvements::default();
        FLAGS.iter().for_each(|(_, flag)| *flag(&mut improvements) = is_on);
        improvements
    };
    let mut variants = vec![all(true), all(false)];
    for is_on in [false, true] {
        for (_, flag) in FLAGS {
            let mut improvements = all(!is_on);
            *flag(&mut improvements) = is_on;
            if !variants.contains(&improvements) {
                variants.push(improvements);
            }
        }
    }
    variants
}

/// The names of those that are on.
pub fn names(mut improvements: Improvements) -> String {
    let on = FLAGS.iter().filter(|(_, flag)| *flag(&mut improvements)).map(|(name, _)| *name);
    format!("with {}", on.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_improvement_is_turned_off_and_on() {
        let variants = variants();
        for (name, flag) in FLAGS {
            let on = variants.iter().filter(|i| *flag(&mut (*i).clone())).count();
            assert!(on > 0 && on < variants.len(), "{name}");
        }
    }
}
