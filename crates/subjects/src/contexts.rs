//! A context for each container: all its methods, with the pools of the paper about call sequences. Two numbers, 0 and 100, two
//! truth values, and one place for a container; results go back into the pools.
//!
//! Items, keys, values, places and lengths are of one type, so that what a call returns is something to pass to the next one.

mod collections;
mod maps;

use smallscope_sequences::{Builder, Context, Error, Pool};

/// A container and its calls.
#[derive(Clone, Copy)]
pub struct Subject {
    /// The name of the type.
    pub name: &'static str,
    build: fn(u32) -> Builder,
}

impl Subject {
    /// The context in which a [mutant](crate::mutation) is on during calls; with 0, none.
    pub fn context(self, mutant: u32) -> Result<Context, Error> {
        (self.build)(mutant).build()
    }
}

/// All containers.
pub fn subjects() -> [Subject; 11] {
    [
        Subject { name: "ArrayList", build: collections::array_list },
        Subject { name: "Deque", build: collections::deque },
        Subject { name: "HashMap", build: maps::hash_map },
        Subject { name: "HashSet", build: collections::hash_set },
        Subject { name: "IdentityMap", build: maps::identity_map },
        Subject { name: "LinkedHashMap", build: maps::linked_hash_map },
        Subject { name: "LinkedList", build: collections::linked_list },
        Subject { name: "PriorityQueue", build: collections::priority_queue },
        Subject { name: "Stack", build: collections::stack },
        Subject { name: "TreeMap", build: maps::tree_map },
        Subject { name: "TreeSet", build: collections::tree_set },
    ]
}

/// The pools.
fn pools<T: 'static>(name: &str) -> Builder {
    Context::builder()
        .pool(Pool::<T>::empty(1).named(name))
        .pool(Pool::of([0usize, 100]))
        .pool(Pool::of([false, true]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope_sequences::{Runner, Strategy};

    #[test]
    fn every_container_agrees_with_itself_and_never_panics() {
        for subject in subjects() {
            let (ours, gold) = (subject.context(0).unwrap(), subject.context(0).unwrap());
            let strategy = Strategy::bobw(&ours, 200, 1).unwrap();
            let report = Runner::new(&ours, strategy).gold(&gold).max_tests(20).run().unwrap();
            assert_eq!((report.failing, report.counts.panics), (0, 0), "{}: {report}", subject.name);
            // A container is made sooner or later, and then there is something to call.
            assert!(report.counts.skipped < report.counts.calls / 2, "{}: {report}", subject.name);
        }
    }

    #[test]
    fn calls_are_as_many_as_arguments_and_results_allow() {
        let calls = |name| {
            let subject = subjects().into_iter().find(|subject| subject.name == name).unwrap();
            subject.context(0).unwrap().calls()
        };
        // new; push 2; pop 2; peek 2; search 2 * 2; iter; len 2; is_empty 2; clear.
        assert_eq!(calls("Stack"), 1 + 2 + 2 + 2 + 4 + 1 + 2 + 2 + 1);
        // new; insert, remove and contains 2 * 2 each; retain 2; iter; len 2; is_empty 2; clear.
        assert_eq!(calls("HashSet"), 1 + 3 * 4 + 2 + 1 + 2 + 2 + 1);
    }
}
