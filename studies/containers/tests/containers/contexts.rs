//! The contexts of the containers.

use smallscope_containers::contexts::units;
use smallscope_sequences::{Runner, Strategy};

#[test]
fn every_container_agrees_with_itself_and_never_panics() {
    for container in units() {
        let (ours, gold) = (container.context(None).unwrap(), container.context(None).unwrap());
        let strategy = Strategy::bobw(&ours, 200, 1).unwrap();
        let report = Runner::new(&ours, strategy).gold(&gold).max_tests(20).run().unwrap();
        assert_eq!((report.failing, report.counts.panics), (0, 0), "{}: {report}", container.name);
        // A call creates a container sooner or later, and then most calls can be made.
        assert!(report.counts.skipped < report.counts.calls / 2, "{}: {report}", container.name);
    }
}

#[test]
fn calls_are_as_many_as_arguments_and_results_allow() {
    let calls = |name| {
        let container = units().into_iter().find(|container| container.name == name).unwrap();
        container.context(None).unwrap().calls()
    };
    // new; push 2; pop 2; peek 2; search 2 * 2; iter; len 2; is_empty 2; clear.
    assert_eq!(calls("Stack"), 1 + 2 + 2 + 2 + 4 + 1 + 2 + 2 + 1);
    // new; insert, remove and contains 2 * 2 each; retain 2; iter; len 2; is_empty 2; clear.
    assert_eq!(calls("HashSet"), 1 + 3 * 4 + 2 + 1 + 2 + 2 + 1);
}
