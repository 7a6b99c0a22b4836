//! Reads any bytes as what the engine keeps in files, and checks what must always hold. Shared by
//! the fuzzer and the tests.

use tessera::board::{Position, Rules};
use tessera::eval::network::Network;
use tessera::lab::file::Games;
use tessera::lab::record::Record;
use tessera::types::crc32;

/// Panics if a reader of games does, or if what it has read is not written as it was read. The
/// first byte chooses the rules of the game.
pub fn check_games(bytes: &[u8]) {
    if let Ok(games) = Games::from_bytes(bytes.to_vec()) {
        for block in 0..games.blocks() {
            let _ = games.block(block);
        }
    }
    let Some((&first, mut rest)) = bytes.split_first() else {
        return;
    };
    let rules = Rules::ALL[usize::from(first) % Rules::ALL.len()];
    if let Ok(record) = Record::read(rules, &mut rest) {
        let mut written = Vec::new();
        record.write(&mut written);
        let again = Record::read(rules, &mut &written[..]);
        assert!(again.as_ref() == Ok(&record), "{record:?}");
    }
}

/// Panics if a reader of networks does, or if one that it has accepted cannot be played with. The
/// sum at the end is made right, for else nothing would be read at all.
pub fn check_network(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    bytes.extend(crc32(&bytes).to_le_bytes());
    if let Ok(network) = Network::from_bytes(&bytes) {
        let position = Position::start(network.rules);
        let value = network.evaluate(&position);
        let again = Network::from_bytes(&network.to_bytes()).expect("as it was written");
        assert_eq!(again.evaluate(&position), value);
    }
}
