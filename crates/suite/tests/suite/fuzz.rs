//! A short run of the fuzzer; `examples/fuzz.rs` is for long ones.

use crate::mutate::Mutator;
use crate::random::Random;
use crate::samples::Scratch;
use crate::{seeds, target};
use smallscope_suite::{Checkpoint, Reader};
use std::fs;
use std::io::Cursor;

#[test]
fn hostile_files_do_no_harm() {
    let kept = seeds::kept();
    for seed in &kept {
        assert!(target::check(seed));
    }
    let suite = kept[3].clone();
    let mut mutator = Mutator { random: Random::new(2), seeds: kept };
    let scratch = Scratch::new("fuzz", &[]);
    let mut good = 0;
    for i in 0..50_000 {
        let input = mutator.input();
        good += u32::from(target::check(&input));
        if i % 50 == 0 {
            target::check_reopen(&input, &suite, &scratch.0);
        }
    }
    // Otherwise the mutations were all too crude, or had no effect.
    assert!((1_000..40_000).contains(&good), "{good}");
}

#[test]
fn kept_files_are_still_read() {
    for (name, made) in seeds::made().unwrap() {
        let kept = fs::read(seeds::directory().join(name)).unwrap();
        if name.ends_with(".checkpoint") {
            assert_eq!(Checkpoint::from_bytes(&kept).unwrap(), Checkpoint::from_bytes(&made).unwrap());
            continue;
        }
        let [mut kept, mut made] = [kept, made].map(|bytes| Reader::open(Cursor::new(bytes)).unwrap());
        assert_eq!((kept.header(), kept.ending(), kept.len()), (made.header(), made.ending(), made.len()));
        for i in 0..kept.len() {
            assert_eq!(kept.get(i).unwrap(), made.get(i).unwrap(), "{name}, entry {i}");
            assert_eq!(kept.anchor_of(i).unwrap(), made.anchor_of(i).unwrap(), "{name}, entry {i}");
        }
    }
}
