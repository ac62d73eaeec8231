//! The flight recorder: what each thread of a run is doing, in a file that survives the process.
//!
//! A record costs a few stores to memory, which the system writes to the file. If the process is killed, another process
//! reads from the file what it was doing.

#[cfg_attr(not(all(unix, target_pointer_width = "64", not(miri))), path = "flight/unmapped.rs")]
mod mapped;

use mapped::Mapped;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// So many threads have a record. Others are not recorded.
const THREADS: usize = 16;

/// The longest sequence of calls that a record holds.
const MOST_CALLS: usize = 2000;

/// What one thread is doing. The meaning of the numbers is that of the code that records them.
#[repr(C)]
pub struct Record {
    /// Changes while the run goes on, even if nothing else does.
    pub beats: AtomicU64,
    /// Which case is tried, and how far it is.
    pub number: AtomicU64,
    /// The place in the case.
    pub at: AtomicU32,
    length: AtomicU32,
    calls: [AtomicU32; MOST_CALLS],
}

/// What a file consists of.
#[repr(C)]
struct Records {
    /// What the numbers of the records depend on.
    circumstances: AtomicU64,
    /// How many threads have taken a record.
    taken: AtomicU32,
    threads: [Record; THREADS],
}

impl Record {
    /// Notes that the run goes on.
    #[inline]
    pub fn beat(&self) {
        // Only one thread changes it.
        self.beats.store(self.beats.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Stores a sequence of calls; only its length if it is too long.
    pub fn set_calls(&self, calls: &[u32]) {
        self.length.store(calls.len() as u32, Ordering::Relaxed);
        for (place, call) in self.calls.iter().zip(calls) {
            place.store(*call, Ordering::Relaxed);
        }
    }

    /// Returns the sequence of calls; none if it was too long.
    pub fn calls(&self) -> Option<Vec<u32>> {
        let calls = self.calls.get(..self.length.load(Ordering::Relaxed) as usize)?;
        Some(calls.iter().map(|call| call.load(Ordering::Relaxed)).collect())
    }
}

/// A file with the records of a run. It is removed when this is dropped, so a file that is left tells of a process that has
/// died.
pub struct Flight {
    mapped: Mapped,
    path: PathBuf,
    is_kept: bool,
}

impl Flight {
    /// Makes a new, empty file, in place of one with this name.
    ///
    /// # Errors
    ///
    /// If the file cannot be made or mapped into memory.
    pub fn create(path: PathBuf) -> io::Result<Flight> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path)?;
        Flight::map(&file, path, false)
    }

    /// Opens the file of another process. It is not removed at the end.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or mapped into memory.
    pub fn open(path: PathBuf) -> io::Result<Flight> {
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        Flight::map(&file, path, true)
    }

    fn map(file: &File, path: PathBuf, is_kept: bool) -> io::Result<Flight> {
        match Mapped::new(file) {
            Ok(mapped) => Ok(Flight { mapped, path, is_kept }),
            Err(error) => {
                if !is_kept {
                    let _ = fs::remove_file(path);
                }
                Err(error)
            }
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what the numbers of the records depend on, as one number.
    pub fn circumstances(&self) -> &AtomicU64 {
        &self.mapped.circumstances
    }

    /// Takes a record for a thread. Returns its number; none if there are too many threads.
    pub fn take(&self) -> Option<usize> {
        let number = self.mapped.taken.fetch_add(1, Ordering::Relaxed) as usize;
        (number < THREADS).then_some(number)
    }

    /// Returns a record by its number.
    pub fn record(&self, number: usize) -> &Record {
        &self.mapped.threads[number]
    }

    /// Returns the records that were taken.
    pub fn records(&self) -> &[Record] {
        &self.mapped.threads[..THREADS.min(self.mapped.taken.load(Ordering::Relaxed) as usize)]
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if !self.is_kept {
            // It may be gone already.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn another_process_reads_what_was_recorded() {
        let path = std::env::temp_dir().join(format!("smallscope-flight-{}", std::process::id()));
        let flight = Flight::create(path.clone()).unwrap();
        let record = flight.record(flight.take().unwrap());
        record.number.store(7, Ordering::Relaxed);
        record.set_calls(&[3, 1, 4]);
        record.beat();
        let seen = Flight::open(path.clone()).unwrap();
        let [record] = seen.records() else { panic!("one record") };
        assert_eq!(record.number.load(Ordering::Relaxed), 7);
        assert_eq!(record.beats.load(Ordering::Relaxed), 1);
        assert_eq!(record.calls(), Some(vec![3, 1, 4]));
        record.set_calls(&[0; MOST_CALLS + 1]);
        assert_eq!(flight.record(0).calls(), None);
        drop(seen);
        assert!(path.exists());
        drop(flight);
        assert!(!path.exists());
    }

    #[test]
    fn too_many_threads_have_no_record() {
        let path = std::env::temp_dir().join(format!("smallscope-flights-{}", std::process::id()));
        let flight = Flight::create(path).unwrap();
        let taken = (0..THREADS + 2).filter(|_| flight.take().is_some()).count();
        assert_eq!((taken, flight.records().len()), (THREADS, THREADS));
    }
}
