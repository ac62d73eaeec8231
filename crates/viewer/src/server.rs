//! Serves the page on the loopback interface, to the browser of one user.
//!
//! Every address begins with a secret token. Requests of other origins and for other hosts are refused, so that pages of
//! other sites learn nothing, not even by names that lead to this computer. Nothing can be changed.

mod request;

use crate::page::random_token;
use request::{Request, Wrong};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a request may take to arrive, and its answer to be taken.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many requests are answered at the same time.
const MOST_AT_ONCE: usize = 64;

/// What is answered to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status: 200 if all is well.
    pub status: u16,
    /// The type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

impl Answer {
    /// A page.
    pub fn page(body: String) -> Answer {
        Answer { status: 200, content_type: "text/html; charset=utf-8", body }
    }

    /// An object.
    pub fn json(body: String) -> Answer {
        Answer { status: 200, content_type: "application/json", body }
    }

    /// An error, in words.
    pub fn error(status: u16, body: impl Into<String>) -> Answer {
        Answer { status, content_type: "text/plain; charset=utf-8", body: body.into() }
    }
}

/// Answers requests that have the token.
pub trait Handler: Sync {
    /// Answers a request for a path, without the token and decoded, and the parameters behind it.
    fn answer(&self, path: &str, parameters: &[(String, String)]) -> Answer;
}

/// A server that is not yet serving.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    nonce: String,
}

impl Server {
    /// Binds a port of the loopback interface; any free one if none is given.
    pub fn bind(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        // Not blocking, so that stopping is noticed.
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address, token: random_token(), nonce: random_token() })
    }

    /// Returns the address of the page, with the token.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    /// Returns the nonce that the scripts and styles of the page need.
    pub fn nonce(&self) -> &str {
        &self.nonce
    }

    /// Serves until it is stopped.
    pub fn serve(&self, handler: &dyn Handler, is_stopped: &(dyn Fn() -> bool + Sync)) {
        let active = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            while !is_stopped() {
                let stream = match self.listener.accept() {
                    Ok((stream, peer)) if peer.ip().is_loopback() => stream,
                    Ok(_) => continue,
                    Err(_) => {
                        std::thread::sleep(Duration::from_millis(3));
                        continue;
                    }
                };
                if active.fetch_add(1, Ordering::AcqRel) >= MOST_AT_ONCE {
                    active.fetch_sub(1, Ordering::AcqRel);
                    let mut stream = stream;
                    self.send(&mut stream, &Answer::error(503, "too many requests at once"), false);
                    continue;
                }
                let active = &active;
                let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
                    self.handle(stream, handler);
                    active.fetch_sub(1, Ordering::AcqRel);
                });
                if spawned.is_err() {
                    active.fetch_sub(1, Ordering::AcqRel);
                }
            }
        });
    }

    fn handle(&self, mut stream: TcpStream, handler: &dyn Handler) {
        let is_ready =
            stream.set_nonblocking(false).is_ok() && stream.set_write_timeout(Some(PATIENCE)).is_ok();
        if !is_ready {
            return;
        }
        let (answer, has_body) = match Request::read(&mut stream, Instant::now() + PATIENCE) {
            Ok(request) => (self.answer(&request, handler), request.method != "HEAD"),
            Err(Wrong::Silent) => return,
            Err(Wrong::Slow) => (Answer::error(408, "the request took too long"), true),
            Err(Wrong::Large) => (Answer::error(431, "the request is too large"), true),
            Err(Wrong::Malformed) => (Answer::error(400, "this is not a request"), true),
        };
        self.send(&mut stream, &answer, has_body);
    }

    fn answer(&self, request: &Request, handler: &dyn Handler) -> Answer {
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return Answer::error(405, "this page can only be read");
        }
        let port = self.address.port();
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
        let is_ours = |host: &str| hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        let has_host = matches!(&request.headers("host")[..], [only] if is_ours(only));
        let is_own_origin = |origin: &&str| origin.strip_prefix("http://").is_some_and(is_ours);
        let is_same_site = |site: &&str| matches!(*site, "same-origin" | "none");
        if !has_host
            || !request.headers("origin").iter().all(is_own_origin)
            || !request.headers("sec-fetch-site").iter().all(is_same_site)
        {
            return Answer::error(403, "this page is for the browser of its user");
        }
        let rest = request.path.strip_prefix('/').unwrap_or_default();
        let (token, path) = rest.split_once('/').unwrap_or((rest, ""));
        if !is_same(token, &self.token) {
            return Answer::error(
                403,
                "the address has no valid token: use the one that the tool has printed",
            );
        }
        handler.answer(path, &request.parameters)
    }

    fn send(&self, stream: &mut TcpStream, answer: &Answer, has_body: bool) {
        let Answer { status, content_type, body } = answer;
        let reason = match status {
            200 => "OK",
            404 => "Not Found",
            403 => "Forbidden",
            _ => "Error",
        };
        let policy = crate::page::policy(&self.nonce, true);
        let head = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\
             Content-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let body = if has_body { body.as_bytes() } else { b"" };
        // If the browser has gone, there is nothing to do about it.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
}

/// Compares in a time that does not depend on where two texts differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}
