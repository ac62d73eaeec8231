//! Paths as text, in messages and checkpoints. A path need not be text: on Unix it is any bytes.

use std::path::{Path, PathBuf};

/// The beginning of a path that is written as hexadecimal bytes.
const BYTES: char = '\u{1}';

/// Returns a text that [`from_text`] reads: the path itself, if it is text.
pub(crate) fn to_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) if !text.starts_with(BYTES) => text.to_owned(),
        _ => bytes(path).iter().fold(BYTES.to_string(), |text, byte| format!("{text}{byte:02x}")),
    }
}

/// Reads a path that [`to_text`] has written.
pub(crate) fn from_text(text: &str) -> Result<PathBuf, String> {
    let Some(digits) = text.strip_prefix(BYTES) else { return Ok(text.into()) };
    let byte = |i: usize| digits.get(i..i + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    bytes.and_then(from_bytes).ok_or_else(|| format!("`{digits}` is no path"))
}

#[cfg(unix)]
fn bytes(path: &Path) -> &[u8] {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str())
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    let path: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    Some(path.into())
}

/// The encoding of the standard library, which contains all text as it is.
#[cfg(not(unix))]
fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Elsewhere only text can be read back.
#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_path_survives() {
        let mut paths: Vec<PathBuf> = vec!["a.suite".into(), "".into(), "\u{1}00".into(), "ö/\n".into()];
        #[cfg(unix)]
        paths.extend(from_bytes(b"n\xffme".to_vec()));
        for path in paths {
            assert_eq!(from_text(&to_text(&path)), Ok(path));
        }
        assert_eq!(to_text(Path::new("a.suite")), "a.suite");
        assert!(from_text("\u{1}0").is_err() && from_text("\u{1}xx").is_err());
    }
}
