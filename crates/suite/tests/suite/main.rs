//! Suites and checkpoints: written, read, cut off, damaged, and continued.

mod by_the_book;
mod checkpoint;
mod counting;
mod damage;
mod fuzz;
mod growing;
mod hostile;
mod layout;
mod messages;
mod mutate;
mod random;
mod reopen;
mod round_trip;
mod samples;
mod seeds;
mod sizes;
mod streams;
mod target;
