//! A training that can go on later: all its numbers in a file.
//!
//! ```text
//! "TESSERAC", recipe and origin (u16 length, text), epochs u32, steps u64,
//! for each epoch: training and validation error f64
//! weights, means of the gradient, means of its square    f32 each
//! crc32 of all before
//! ```

use crate::board::Rules;
use crate::types::crc32;

use super::model::{Lanes, TILE};
use super::{Recipe, Trainer};

const MAGIC: &[u8; 8] = b"TESSERAC";

impl Trainer {
    /// What a training must have in common with another one to go on with it.
    fn name(&self, origin: &str) -> String {
        format!("{} {:?} {origin}", self.rules.name, self.recipe)
    }

    /// The origin says what else it depends on: the positions, and what it began with.
    pub fn to_checkpoint(&self, origin: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let name = self.name(origin);
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.extend((self.errors.len() as u32).to_le_bytes());
        bytes.extend((self.step as u64).to_le_bytes());
        for (training, validation) in &self.errors {
            bytes.extend(training.to_le_bytes());
            bytes.extend(validation.to_le_bytes());
        }
        for list in [&self.numbers, &self.means, &self.squares] {
            let numbers = list.iter().flat_map(|lanes| lanes.0);
            bytes.extend(numbers.flat_map(f32::to_le_bytes));
        }
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Goes on where a training of the same recipe and origin was.
    pub fn from_checkpoint(
        rules: &'static Rules,
        recipe: Recipe,
        origin: &str,
        bytes: &[u8],
    ) -> Result<Trainer, String> {
        let mut trainer = Trainer::new(rules, recipe);
        let cut_off = || "it is cut off".to_string();
        let mut rest = bytes.strip_prefix(MAGIC).ok_or("not a checkpoint")?;
        let mut take = |length: usize| rest.split_off(..length).ok_or_else(cut_off);
        let length = take(2)?;
        let name = take(usize::from(u16::from_le_bytes([length[0], length[1]])))?;
        if name != trainer.name(origin).as_bytes() {
            let name = String::from_utf8_lossy(name);
            return Err(format!("it belongs to another training: {name}"));
        }
        let epochs = take(4)?.try_into().map_err(|_| cut_off())?;
        let epochs = u32::from_le_bytes(epochs);
        let step = take(8)?.try_into().map_err(|_| cut_off())?;
        trainer.step = u64::from_le_bytes(step) as usize;
        for _ in 0..epochs {
            let mut error = || -> Result<f64, String> {
                Ok(f64::from_le_bytes(
                    take(8)?.try_into().map_err(|_| cut_off())?,
                ))
            };
            trainer.errors.push((error()?, error()?));
        }
        for list in [
            &mut trainer.numbers,
            &mut trainer.means,
            &mut trainer.squares,
        ] {
            let bytes = take(4 * TILE * list.len())?;
            for (lanes, bytes) in list.iter_mut().zip(bytes.chunks_exact(4 * TILE)) {
                let mut numbers = bytes.chunks_exact(4);
                *lanes = Lanes(std::array::from_fn(|_| {
                    let bytes = numbers.next().and_then(|bytes| bytes.try_into().ok());
                    bytes.map_or(0.0, f32::from_le_bytes)
                }));
            }
        }
        let sum = take(4)?;
        if !rest.is_empty() || sum != crc32(&bytes[..bytes.len() - 4]).to_le_bytes() {
            return Err("its checksum is wrong".to_string());
        }
        Ok(trainer)
    }
}
