//! The lazy engine on every structure: as many values as the published algorithm finds.

use smallscope::Engine;
use smallscope::search::{Found, Options};
use smallscope_catalogue::registry::{counts, structure};
use std::ops::ControlFlow;

#[test]
fn the_lazy_engine_finds_as_many_values() {
    let most = if cfg!(debug_assertions) { 8_000 } else { 20_000 };
    for row in counts().iter().filter(|row| row.explored <= most) {
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
        let mut search = (structure.open)(&(structure.bounds)(&row.args), options).unwrap();
        let mut visited = 0;
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            visited += 1;
        }
        assert_eq!(visited, row.valid, "{which}: as many are visited as counted");
    }
}
