//! The processor: what it can do, and what of that this program was built to use.
//!
//! The levels x86-64-v1 to v4 are those that compilers and distributions agree on.

use std::fmt;

/// An extension of the instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    pub name: &'static str,
    /// The level that needs it first.
    pub level: u8,
    /// The program was built to use it.
    pub is_used: bool,
    /// The processor has it, and the system lets programs use it.
    pub is_there: bool,
}

/// The build of a program that fits a kind of processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// Any processor of 64 bits.
    V1,
    /// Counts bits in one instruction; since 2009.
    V2,
    /// Vectors of 256 bits and gathering of bits (AVX2 and BMI2); since 2013.
    V3,
    /// The same for processors that gather bits slowly.
    V3SlowPext,
    /// Vectors of 512 bits.
    V4,
}

impl Build {
    pub const ALL: [Build; 5] = [
        Build::V1,
        Build::V2,
        Build::V3,
        Build::V3SlowPext,
        Build::V4,
    ];

    /// The build for a processor of a level that is, or is not, slow at gathering bits.
    pub fn fitting(level: u8, gathers_slowly: bool) -> Build {
        match level {
            4.. => Build::V4,
            3 if gathers_slowly => Build::V3SlowPext,
            3 => Build::V3,
            2 => Build::V2,
            _ => Build::V1,
        }
    }
}

/// The name under which the Makefile has it.
impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Build::V1 => "x86-64-v1",
            Build::V2 => "x86-64-v2",
            Build::V3 => "x86-64-v3",
            Build::V3SlowPext => "x86-64-v3-slow-pext",
            Build::V4 => "x86-64-v4",
        })
    }
}

/// The highest level of which nothing is missing.
fn level(features: &[Feature], has: impl Fn(&Feature) -> bool) -> u8 {
    let is_complete = |level: &u8| {
        let mut wanted = features.iter().filter(|feature| feature.level <= *level);
        wanted.all(&has)
    };
    (1..=4).take_while(is_complete).last().unwrap_or(1)
}

/// What the processor can do, as a level; 1 also for other kinds of processors.
pub fn level_there() -> u8 {
    let features = features();
    if features.is_empty() {
        return 1;
    }
    level(&features, |feature| feature.is_there)
}

#[cfg(target_arch = "x86_64")]
mod this {
    use std::arch::x86_64::{__cpuid, CpuidResult};

    use super::Feature;

    macro_rules! features {
        ($($level:literal: [$($name:tt)*];)*) => {
            vec![$($(Feature {
                name: $name,
                level: $level,
                is_used: cfg!(target_feature = $name),
                is_there: std::is_x86_feature_detected!($name),
            },)*)*]
        };
    }

    /// Those that the levels are made of.
    pub fn features() -> Vec<Feature> {
        features! {
            1: ["sse2"];
            2: ["sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "cmpxchg16b"];
            3: ["avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe"];
            4: ["avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"];
        }
    }

    fn text(words: impl IntoIterator<Item = u32>) -> String {
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let text = String::from_utf8_lossy(&bytes);
        text.trim_matches(['\0', ' ']).to_string()
    }

    /// What its maker calls it, if it tells.
    pub fn name() -> Option<String> {
        const NAME: u32 = 0x8000_0002;
        if __cpuid(0x8000_0000).eax < NAME + 2 {
            return None;
        }
        let words = (NAME..=NAME + 2).flat_map(|leaf| {
            let CpuidResult { eax, ebx, ecx, edx } = __cpuid(leaf);
            [eax, ebx, ecx, edx]
        });
        Some(text(words)).filter(|name| !name.is_empty())
    }

    /// Whether the instruction `pext` is there but takes hundreds of cycles, as in Zen 1 and 2
    /// and what was made after them.
    pub fn gathers_slowly() -> bool {
        let CpuidResult { ebx, ecx, edx, .. } = __cpuid(0);
        let maker = text([ebx, edx, ecx]);
        let signature = __cpuid(1).eax;
        let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
        ["AuthenticAMD", "HygonGenuine"].contains(&maker.as_str()) && family < 0x19
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod this {
    use super::Feature;

    pub fn features() -> Vec<Feature> {
        Vec::new()
    }

    pub fn name() -> Option<String> {
        None
    }

    pub fn gathers_slowly() -> bool {
        false
    }
}

pub use this::{features, gathers_slowly, name};

#[cfg(test)]
mod tests {
    use super::*;

    /// A processor that has all of some levels, and of the next one nothing but the first.
    fn features_up_to(complete: u8) -> Vec<Feature> {
        let row = |level, is_there| Feature {
            name: "",
            level,
            is_used: false,
            is_there,
        };
        let rows = (1..=4).flat_map(|level| {
            [
                row(level, level <= complete + 1),
                row(level, level <= complete),
            ]
        });
        rows.collect()
    }

    #[test]
    fn a_level_needs_all_of_its_features_and_of_those_below() {
        for complete in 1..=4 {
            let features = features_up_to(complete);
            assert_eq!(level(&features, |feature| feature.is_there), complete);
        }
        let mut features = features_up_to(4);
        features[2].is_there = false;
        assert_eq!(level(&features, |feature| feature.is_there), 1);
    }

    #[test]
    fn every_build_is_somebodys() {
        for build in Build::ALL {
            let fits = |level| [false, true].map(|slow| Build::fitting(level, slow));
            assert!((1..=4).any(|level| fits(level).contains(&build)), "{build}");
        }
        assert_eq!(Build::fitting(4, true), Build::V4);
        assert_eq!(Build::fitting(2, true), Build::V2);
    }

    /// A program that uses what is not there would not have come this far.
    #[test]
    fn what_is_used_is_there() {
        for feature in features() {
            assert!(!feature.is_used || feature.is_there, "{feature:?}");
        }
    }
}
