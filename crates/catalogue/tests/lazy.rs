//! The lazy engine on every structure: as many values as the published algorithm finds.

use smallscope::{Engine, Options};
use smallscope_catalogue::registry::{counts, structure};

#[test]
fn the_lazy_engine_finds_as_many_values() {
    for row in counts().iter().filter(|row| row.explored <= 60_000) {
        let structure = structure(row.structure).unwrap();
        let options = Options { engine: Engine::Lazy, recheck_every: 16, ..Options::default() };
        let outcome = (structure.count)(&(structure.bounds)(&row.args), options).unwrap();
        assert!(outcome.is_exhaustive());
        let which = format!("{} {:?}", row.structure, row.args);
        assert_eq!(outcome.valid, row.valid, "{which}");
        assert!(
            outcome.explored <= row.explored,
            "{which}: {} runs, {} candidates",
            outcome.explored,
            row.explored
        );
    }
}
