//! A checksum for what is kept in files.

/// The remainders of all bytes, for the polynomial of zlib and PNG.
static REMAINDERS: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let carry = remainder & 1;
            remainder = remainder >> 1 ^ (0xEDB8_8320 * carry);
            bit += 1;
        }
        table[byte] = remainder;
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
        self.0 = bytes.iter().fold(self.0, |sum, &byte| {
            sum >> 8 ^ REMAINDERS[usize::from(sum as u8 ^ byte)]
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
    }
}
