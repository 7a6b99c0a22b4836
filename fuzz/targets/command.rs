//! Any line: the parser must not panic, and must not care about blanks around it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let line = String::from_utf8_lossy(bytes);
    let result = tessera::uci::parse(&line);
    assert_eq!(tessera::uci::parse(&format!(" {line} \r\n")), result);
});
