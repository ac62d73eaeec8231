//! Whether the operations of a difference lead from the old to the new.

use proptest::collection::vec;
use proptest::prelude::any;
use similar::{Algorithm, DiffOp, capture_diff_slices};

compared! {
    #[smallscope::test(scope = 4)]
    fn(old: Vec<u8> = vec(any::<u8>(), 0..10), new: Vec<u8> = vec(any::<u8>(), 0..10)) {
        let mut made: Vec<u8> = vec![];
        for operation in capture_diff_slices(Algorithm::Lcs, &old, &new) {
            match operation {
                DiffOp::Equal { old_index, len, .. } => made.extend(&old[old_index..old_index + len]),
                DiffOp::Delete { .. } => {}
                DiffOp::Insert { new_index, new_len, .. } | DiffOp::Replace { new_index, new_len, .. } => {
                    made.extend(&new[new_index..new_index + new_len]);
                }
            }
        }
        assert_eq!(made, new);
    }
}
