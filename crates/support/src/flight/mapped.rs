//! A file in memory. The system keeps what is stored there, however the process ends.

use super::Records;
use std::ffi::{c_int, c_long, c_void};
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::fd::{AsRawFd, RawFd};
use std::ptr::NonNull;

// Declared by hand, so that users do not compile a crate for two functions. On 64-bit Unix systems `off_t` has the size
// of `long`, and these constants have the same values everywhere.
unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        len: usize,
        protection: c_int,
        flags: c_int,
        file: RawFd,
        offset: c_long,
    ) -> *mut c_void;
    fn munmap(at: *mut c_void, len: usize) -> c_int;
}

const READ_AND_WRITE: c_int = 1 | 2;
const SHARED: c_int = 1;

/// The records of a file, mapped into memory.
pub(super) struct Mapped(NonNull<Records>);

// SAFETY: the records are atomic numbers, and no thread owns the mapping.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl Mapped {
    /// Maps a file, which gets the length of the records.
    pub(super) fn new(file: &File) -> io::Result<Mapped> {
        file.set_len(size_of::<Records>() as u64)?;
        // SAFETY: the system chooses an address, so no other object is there. It is a multiple of the size of a page.
        let at = unsafe {
            mmap(std::ptr::null_mut(), size_of::<Records>(), READ_AND_WRITE, SHARED, file.as_raw_fd(), 0)
        };
        match NonNull::new(at.cast::<Records>()) {
            Some(records) if at as isize != -1 => Ok(Mapped(records)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Deref for Mapped {
    type Target = Records;

    fn deref(&self) -> &Records {
        // SAFETY: the mapping is as long as the records and lives as long as `self`. They consist of atomic numbers, for
        // which all bytes are valid, and which other processes may change. Only this crate makes such files, and it
        // never shortens one.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: references to the records borrow `self`, so there are none.
        unsafe { munmap(self.0.as_ptr().cast(), size_of::<Records>()) };
    }
}
