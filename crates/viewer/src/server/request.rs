//! Reads a request. Everything is limited: its size, its time, its headers.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::Instant;

/// The largest request, with its headers.
const LARGEST: usize = 16 << 10;

/// A request without a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub method: String,
    /// Decoded.
    pub path: String,
    /// Decoded, in order.
    pub parameters: Vec<(String, String)>,
    /// Names in small letters.
    headers: Vec<(String, String)>,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Nothing was sent.
    Silent,
    Slow,
    Large,
    Malformed,
}

impl Request {
    /// Reads a request that has to be complete in time.
    pub fn read(stream: &mut TcpStream, end: Instant) -> Result<Request, Wrong> {
        let mut bytes = vec![];
        let mut chunk = [0; 2048];
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Wrong::Slow);
            }
            stream.set_read_timeout(Some(left)).map_err(|_| Wrong::Silent)?;
            match stream.read(&mut chunk) {
                Ok(0) if bytes.is_empty() => return Err(Wrong::Silent),
                Ok(0) => return Err(Wrong::Malformed),
                Ok(len) => bytes.extend_from_slice(&chunk[..len]),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(Wrong::Slow);
                }
                Err(_) => return Err(Wrong::Silent),
            }
            if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                return Request::parse(&bytes[..end]).ok_or(Wrong::Malformed);
            }
            if bytes.len() > LARGEST {
                return Err(Wrong::Large);
            }
        }
    }

    fn parse(head: &[u8]) -> Option<Request> {
        let mut lines = std::str::from_utf8(head).ok()?.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !matches!(version, "HTTP/1.1" | "HTTP/1.0") || !target.starts_with('/') {
            return None;
        }
        let mut headers = vec![];
        for line in lines {
            let (name, value) = line.split_once(':')?;
            if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
                return None;
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut parameters = vec![];
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            parameters.push((decoded(name)?, decoded(&value.replace('+', " "))?));
        }
        Some(Request { method: method.to_owned(), path: decoded(path)?, parameters, headers })
    }

    /// Returns every value of a header.
    pub fn headers(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }
}

/// Decodes `%20`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_taken_apart() {
        let request =
            Request::parse(b"GET /t/find?filter=size%3C3+a&n=1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX: a:b")
                .unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/t/find"));
        assert_eq!(request.parameters, [("filter".into(), "size<3 a".into()), ("n".into(), "1".into())]);
        assert_eq!((request.headers("host"), request.headers("x")), (vec!["127.0.0.1:1"], vec!["a:b"]));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [
            "",
            "GET",
            "GET /",
            "GET / HTTP/2",
            "GET http://a/ HTTP/1.1",
            "GET / HTTP/1.1 x",
            "GET /%zz HTTP/1.1",
            "GET /%f HTTP/1.1",
            "GET /%ff HTTP/1.1",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\n: a",
            "GET / HTTP/1.1\r\nHost : a",
            "GET /%+1 HTTP/1.1",
        ] {
            assert_eq!(Request::parse(text.as_bytes()), None, "{text}");
        }
    }
}
