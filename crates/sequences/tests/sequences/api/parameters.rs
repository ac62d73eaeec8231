//! Pools by parameter, assumptions, constructors into empty slots, and calls that are printed as those of another crate.

use smallscope_sequences::{Context, Pool, Reply, Runner, Strategy, Test, api};

pub struct Both {
    seen: Vec<(u8, u8, String)>,
}

#[api(crate = smallscope_sequences, into_empty, pool(key = 0..3, value = [0, 7]))]
impl Both {
    pub fn new() -> Self {
        Both { seen: vec![] }
    }

    #[api(shown = "{self}.insert({value}, &{key})")]
    pub fn put(&mut self, key: &u8, value: u8) {
        self.seen.push((*key, value, String::new()));
    }

    /// Other values for one method, and one parameter that takes from the pool of its type.
    #[api(pool(key = [9], name = ["a", "b"]))]
    pub fn put_named(&mut self, key: u8, name: &str, level: u16) {
        self.seen.push((key, level as u8, name.to_owned()));
    }

    pub fn pop(&mut self) {
        smallscope::assume!(!self.seen.is_empty());
        self.seen.pop();
    }

    pub fn fill(&mut self, all: Vec<u8>) {
        assert!(all.len() < 2);
    }
}

fn context() -> Context {
    Context::builder()
        .pool(Pool::<Both>::empty(1).named("both"))
        .pool(Pool::of([3u16, 4]))
        .pool(Pool::of([vec![0u8], vec![]]))
        .api::<Both>()
        .build()
        .unwrap()
}

#[test]
fn parameters_have_their_own_values() {
    let context = context();
    let calls = |method| context.calls_of(method).unwrap();
    assert_eq!((calls("Both::new"), calls("put"), calls("put_named"), calls("pop")), (1, 6, 4, 1));
    let text = "both[0] = Both::new(); both[0].put(key[2], value[1]); both[0].put_named(key_b[0], name[1], u16_[0]); \
                both[0].fill(vec[0])";
    let test = Test::parse(&context, text).unwrap();
    assert_eq!(
        test.to_source(&context),
        "let mut both = Both::new();\nboth.insert(7, &2);\nboth.put_named(9, &String::from(\"b\"), 3);\nboth.fill(vec![0]);\n"
    );
    let mut values = context.initial_values();
    for call in test.calls() {
        assert_ne!(context.call(*call, &mut values), Reply::Skipped);
    }
    let both: &Both = values.get(0).unwrap();
    assert_eq!(both.seen, [(2, 7, String::new()), (9, 3, "b".to_owned())]);
}

#[test]
fn calls_whose_assumption_does_not_hold_are_skipped() {
    let context = context();
    let test = Test::parse(&context, "both[0] = Both::new(); both[0].pop(); both[0] = Both::new()").unwrap();
    let replies: Vec<Reply> = context.replay(&test).steps.iter().map(|step| step.reply).collect();
    assert_eq!(replies, [Reply::Stored, Reply::Skipped, Reply::Skipped]);
    assert_eq!(test.to_source(&context), "let both = Both::new();\n");
    let report = Runner::new(&context, Strategy::be(&context, 3).unwrap()).run().unwrap();
    assert!(report.stop.is_exhausted() && report.clusters.is_empty(), "{report}");
    assert_eq!(report.counts.panics, 0);
}

#[derive(Debug, Clone)]
pub struct Deep {
    depth: u32,
}

#[api(crate = smallscope_sequences)]
impl Deep {
    pub fn new() -> Deep {
        Deep { depth: 0 }
    }

    #[api(weight = 30)]
    pub fn down(&mut self) {
        self.depth += 1;
    }

    pub fn up(&mut self) {
        self.depth = 0;
    }
}

#[test]
fn weights_of_methods_are_those_of_random_sequences() {
    let context = Context::builder().pool(Pool::<Deep>::empty(1)).api::<Deep>().build().unwrap();
    let strategy = Strategy::weighted(&context, 100, 1, 0).unwrap();
    let test = strategy.tests().next().unwrap();
    let line = test.to_line(&context);
    assert!(line.starts_with("deep[0] = Deep::new(); "), "{line}");
    assert!(line.matches("down()").count() > 80 && line.contains("up()"), "{line}");
}

#[derive(Clone, Debug, Hash)]
pub struct Named(u8);

type Alias = Named;

#[api(crate = smallscope_sequences, into_empty)]
impl Named {
    pub fn zero() -> Self {
        Named(0)
    }
    /// A constructor by its type, though not by its name.
    pub fn one() -> Alias {
        Named(1)
    }
    /// No constructor: its result goes into the pool of numbers, which is full.
    pub fn largest() -> u8 {
        u8::MAX
    }
}

#[test]
fn constructors_are_known_by_the_type_of_what_they_return() {
    let context = Context::builder()
        .pool(Pool::<Named>::empty(1))
        .pool(Pool::of([0u8]))
        .api::<Named>()
        .build()
        .unwrap();
    let second_reply = |method: &str| {
        let test = Test::parse(&context, &format!("named[0] = Named::zero(); {method}")).unwrap();
        let mut values = context.initial_values();
        let replies: Vec<Reply> = test.calls().iter().map(|call| context.call(*call, &mut values)).collect();
        replies[1]
    };
    assert_eq!(second_reply("named[0] = Named::zero()"), Reply::Skipped);
    assert_eq!(second_reply("named[0] = Named::one()"), Reply::Skipped);
    assert_eq!(second_reply("u8_[0] = Named::largest()"), Reply::Stored);
}
