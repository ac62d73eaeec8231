//! The server answers its own page only, and survives everything else.

use smallscope_viewer::server::{Answer, Handler, Server};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const SECRET: &str = "what only the page may know";

/// Answers everything with the secret, so that whatever gets through is noticed.
struct Secret;

impl Handler for Secret {
    fn answer(&self, path: &str, parameters: &[(String, String)]) -> Answer {
        Answer::page(format!("{SECRET} {path} {parameters:?}"))
    }
}

/// Runs something with a server that is stopped afterwards.
fn serving(run: impl FnOnce(&Server)) {
    struct StopOnDrop<'a>(&'a AtomicBool);
    impl Drop for StopOnDrop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let server = Server::bind(0).unwrap();
    let stopped = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| server.serve(&Secret, &|| stopped.load(Ordering::Relaxed)));
        let _stop = StopOnDrop(&stopped);
        run(&server);
    });
}

/// Returns host with port, and the path with the token.
fn parts(server: &Server) -> (String, String) {
    let url = server.url();
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    (host.to_owned(), format!("/{path}"))
}

/// Sends bytes, and returns what comes back until the server closes.
fn send(host: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // The server may close before it has read all.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = vec![];
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(host: &str, path: &str, headers: &str) -> String {
    send(host, format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes())
}

#[test]
fn the_page_is_for_its_own_origin_and_token_only() {
    serving(|server| {
        let (host, path) = parts(server);
        let own = format!("Host: {host}\r\n");
        let answer = get(&host, &format!("{path}value?n=7&filter=a%20b"), &own);
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(SECRET), "{answer}");
        assert!(answer.contains(r#"value [("n", "7"), ("filter", "a b")]"#), "{answer}");
        for header in [
            "Content-Security-Policy: default-src 'none'",
            "nosniff",
            "no-referrer",
            "no-store",
            "X-Frame-Options: DENY",
        ] {
            assert!(answer.contains(header), "{header}: {answer}");
        }
        let port = host.rsplit_once(':').unwrap().1;
        let local = format!(
            "Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\nSec-Fetch-Site: same-origin\r\n"
        );
        assert!(get(&host, &path, &local).contains(SECRET));
        let refused = [
            (path.clone(), "Host: evil.example\r\n".to_owned()),
            (path.clone(), format!("Host: evil.example:{port}\r\n")),
            (path.clone(), String::new()),
            (path.clone(), format!("{own}Host: evil.example\r\n")),
            (path.clone(), format!("{own}Origin: http://evil.example\r\n")),
            (path.clone(), format!("{own}Origin: null\r\n")),
            (path.clone(), format!("{own}Origin: https://{host}\r\n")),
            (path.clone(), format!("{own}Sec-Fetch-Site: cross-site\r\n")),
            (path.clone(), format!("{own}Sec-Fetch-Site: same-site\r\n")),
            ("/".to_owned(), own.clone()),
            ("/value?n=1".to_owned(), own.clone()),
            (format!("/{}/", "0".repeat(32)), own.clone()),
            (path[..path.len() - 2].to_owned(), own.clone()),
        ];
        for (path, headers) in refused {
            let answer = get(&host, &path, &headers);
            assert!(
                answer.starts_with("HTTP/1.1 403 ") && !answer.contains(SECRET),
                "{path} {headers}: {answer}"
            );
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "get"] {
            let answer = send(&host, format!("{method} {path} HTTP/1.1\r\n{own}\r\n").as_bytes());
            assert!(answer.starts_with("HTTP/1.1 405 ") && !answer.contains(SECRET), "{method}: {answer}");
        }
        let head = send(&host, format!("HEAD {path} HTTP/1.1\r\n{own}\r\n").as_bytes());
        assert!(head.starts_with("HTTP/1.1 200 ") && !head.contains(SECRET), "{head}");
    });
}

#[test]
fn tokens_differ() {
    let urls: Vec<String> = (0..20).map(|_| Server::bind(0).unwrap().url()).collect();
    let tokens: std::collections::BTreeSet<&str> =
        urls.iter().map(|url| url.rsplit('/').nth(1).unwrap()).collect();
    assert_eq!(tokens.len(), 20);
    assert!(tokens.iter().all(|token| token.len() == 32));
}

/// A request that is wrong in some way.
fn wrong(n: usize, path: &str) -> Vec<u8> {
    let noise = |len: usize| (0..len).map(|i| (i.wrapping_mul(n * 2 + 1) >> 3) as u8).collect::<Vec<u8>>();
    match n % 10 {
        0 => noise(1 + n % 700),
        1 => vec![],
        2 => format!("GET {path}").into_bytes(),
        3 => format!("GET {path} HTTP/9.9\r\nHost: a\r\n\r\n").into_bytes(),
        4 => [b"GET / HTTP/1.1\r\nX: ".to_vec(), vec![b'a'; 20_000], b"\r\n\r\n".to_vec()].concat(),
        5 => format!("GET /{} HTTP/1.1\r\n\r\n", "%".repeat(n % 300)).into_bytes(),
        6 => [b"GET ".to_vec(), noise(200), b" HTTP/1.1\r\n\r\n".to_vec()].concat(),
        7 => format!("GET {path} HTTP/1.1\r\n{}\r\n", "Host: evil\r\n".repeat(n % 400)).into_bytes(),
        8 => b"\r\n\r\n\r\n\r\n".to_vec(),
        _ => format!("POST {path} HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n").into_bytes(),
    }
}

#[test]
fn ten_thousand_wrong_requests_are_survived() {
    serving(|server| {
        let (host, path) = parts(server);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        if n >= 10_000 {
                            break;
                        }
                        let answer = send(&host, &wrong(n, &path));
                        assert!(!answer.contains(SECRET), "{n}: {answer}");
                    }
                });
            }
        });
        assert!(get(&host, &path, &format!("Host: {host}\r\n")).contains(SECRET));
    });
}

#[test]
fn slow_requests_are_closed_and_do_not_delay_others() {
    serving(|server| {
        let (host, path) = parts(server);
        let start = Instant::now();
        let mut slow: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(&host).unwrap()).collect();
        slow.iter_mut().for_each(|stream| stream.write_all(b"GET / HTT").unwrap());
        assert!(get(&host, &path, &format!("Host: {host}\r\n")).contains(SECRET));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        for mut stream in slow {
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
        }
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    });
}
