//! Networks in files.
//!
//! ```text
//! "TESSERAN", version u16, game (u8 length, text), origin (u16 length, text),
//! neurons u16, buckets u8, mirrored u8, zones u8 (only from version 2 on),
//! weights of the inputs that the board has, by zone, input, neuron i16 each
//! biases of the neurons                                            i16
//! weights of the output, by bucket, side to move first             i16
//! biases of the output, by bucket                                  i32
//! crc32 of all before
//! ```
//!
//! Numbers are little-endian. A network without zones is written as version 1.

use crate::board::Rules;
use crate::types::crc32;

use super::{HIDDEN_ONE, INPUTS, Inputs, MAX_WEIGHT, Network, OUTPUT_ONE, Shape};

const MAGIC: &[u8; 8] = b"TESSERAN";
/// What version 1 cannot say is that there are zones.
const WITHOUT_ZONES: u16 = 1;
const VERSION: u16 = 2;

impl Network {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let Shape {
            hidden,
            buckets,
            is_mirrored,
            zones,
        } = self.shape;
        let version = if zones == 1 { WITHOUT_ZONES } else { VERSION };
        bytes.extend(version.to_le_bytes());
        bytes.push(self.rules.name.len() as u8);
        bytes.extend(self.rules.name.as_bytes());
        let mut length = self.origin.len().min(usize::from(u16::MAX));
        while !self.origin.is_char_boundary(length) {
            length -= 1;
        }
        bytes.extend((length as u16).to_le_bytes());
        bytes.extend(&self.origin.as_bytes()[..length]);
        bytes.extend((hidden as u16).to_le_bytes());
        bytes.extend([buckets as u8, u8::from(is_mirrored)]);
        if version > WITHOUT_ZONES {
            bytes.push(zones as u8);
        }
        let rows = used_rows(self.inputs, zones).flat_map(|input| self.row(input));
        let numbers = rows.chain(&self.biases).chain(&self.output);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        let biases = self.output_biases.iter();
        bytes.extend(biases.flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    }

    /// A number by which a network can be known.
    pub fn fingerprint(&self) -> u32 {
        // Not of the whole: a sum over its own sum is always the same.
        let bytes = self.to_bytes();
        crc32(&bytes[..bytes.len() - 4])
    }

    /// Reads a network. Whatever is wrong with the bytes is found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, String> {
        let not_ours = || "not a network of Tessera's".to_string();
        let cut_off = || "it is cut off".to_string();
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(not_ours)?;
        let mut take = |length: usize| rest.split_off(..length).ok_or_else(cut_off);
        let version = u16_of(take(2)?);
        if !(WITHOUT_ZONES..=VERSION).contains(&version) {
            return Err(format!(
                "version {version} is unknown, {WITHOUT_ZONES} to {VERSION} are known"
            ));
        }
        let length = usize::from(take(1)?[0]);
        let name = String::from_utf8_lossy(take(length)?).into_owned();
        let length = usize::from(u16_of(take(2)?));
        let origin = String::from_utf8_lossy(take(length)?).into_owned();
        let shape = Shape {
            hidden: usize::from(u16_of(take(2)?)),
            buckets: usize::from(take(1)?[0]),
            is_mirrored: take(1)?[0] != 0,
            zones: match version {
                WITHOUT_ZONES => 1,
                _ => usize::from(take(1)?[0]),
            },
        };
        shape.check()?;
        let rules = Rules::named(&name).ok_or_else(|| format!("unknown game '{name}'"))?;
        let inputs = Inputs::of(rules);
        let Shape {
            hidden,
            buckets,
            zones,
            ..
        } = shape;
        let mut weights = vec![0; zones * INPUTS * hidden].into_boxed_slice();
        for input in used_rows(inputs, zones) {
            let row = take(2 * hidden)?.chunks_exact(2).map(i16_of);
            for (weight, number) in weights[input * hidden..].iter_mut().zip(row) {
                *weight = number;
            }
        }
        let biases: Box<[i16]> = take(2 * hidden)?.chunks_exact(2).map(i16_of).collect();
        let output = take(4 * hidden * buckets)?.chunks_exact(2).map(i16_of);
        let output: Box<[i16]> = output.collect();
        let output_biases = take(4 * buckets)?.chunks_exact(4);
        let output_biases: Box<[i32]> = output_biases
            .map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        let sum = take(4)?;
        if !rest.is_empty() {
            return Err("it is too long".to_string());
        }
        if sum != crc32(&bytes[..bytes.len() - 4]).to_le_bytes() {
            return Err("its checksum is wrong".to_string());
        }
        let is_within = |numbers: &[i16], one: i32| {
            let most = (MAX_WEIGHT * one as f32).round() as u16;
            numbers.iter().all(|number| number.unsigned_abs() <= most)
        };
        let is_sound = is_within(&weights, HIDDEN_ONE)
            && is_within(&biases, HIDDEN_ONE)
            && is_within(&output, OUTPUT_ONE)
            && output_biases.iter().all(|bias| bias.abs() < 1 << 24);
        if !is_sound {
            return Err("a weight is out of range".to_string());
        }
        Ok(Network {
            rules,
            origin,
            inputs,
            shape,
            weights,
            biases,
            output,
            output_biases,
        })
    }
}

/// The rows of weights that a board needs.
fn used_rows(inputs: &Inputs, zones: usize) -> impl Iterator<Item = usize> {
    (0..zones).flat_map(|zone| inputs.used().map(move |input| zone * INPUTS + input))
}

fn u16_of(bytes: &[u8]) -> u16 {
    u16::from_le_bytes([bytes[0], bytes[1]])
}

fn i16_of(bytes: &[u8]) -> i16 {
    i16::from_le_bytes([bytes[0], bytes[1]])
}
