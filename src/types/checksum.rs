//! A checksum for what is kept in files.

/// How many bytes are taken at once.
const STEP: usize = 8;

/// The remainders of all bytes, for the polynomial of zlib and PNG: of the last byte of a step, of
/// the one before it, and so on.
static REMAINDERS: [[u32; 256]; STEP] = {
    let mut table = [[0; 256]; STEP];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 * STEP {
            let carry = remainder & 1;
            remainder = remainder >> 1 ^ (0xEDB8_8320 * carry);
            bit += 1;
            if bit % 8 == 0 {
                table[bit / 8 - 1][byte] = remainder;
            }
        }
        byte += 1;
    }
    table
};

/// CRC-32 of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = Crc32::new();
    sum.add(bytes);
    sum.finish()
}

/// CRC-32 of bytes that come piece by piece.
pub struct Crc32(u32);

impl Crc32 {
    #[allow(clippy::new_without_default)] // It is nothing yet, not something by default.
    pub fn new() -> Crc32 {
        Crc32(!0)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        let (steps, rest) = bytes.as_chunks::<STEP>();
        for step in steps {
            let mixed = u64::from_le_bytes(*step) ^ u64::from(self.0);
            let bytes = mixed.to_le_bytes().into_iter().zip(REMAINDERS.iter().rev());
            self.0 = bytes.fold(0, |sum, (byte, table)| sum ^ table[usize::from(byte)]);
        }
        self.0 = rest.iter().fold(self.0, |sum, &byte| {
            sum >> 8 ^ REMAINDERS[0][usize::from(sum as u8 ^ byte)]
        });
    }

    pub fn finish(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_common_one() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        let text = b"The quick brown fox jumps over the lazy dog";
        assert_eq!(crc32(text), 0x414F_A339);
        let mut sum = Crc32::new();
        for piece in text.chunks(3) {
            sum.add(piece);
        }
        assert_eq!(sum.finish(), 0x414F_A339);
    }
}
