//! The similarity of a string with itself.

use proptest::prelude::any;

compared! {
    #[smallscope::test(scope = 3)]
    fn(a: String = any::<String>(), b: String = any::<String>()) {
        let similarity = strsim::jaro(&a, &b);
        assert_eq!(a == b, similarity == 1.0);
    }
}
