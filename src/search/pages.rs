//! Large pages for large tables.
//!
//! A processor remembers where some thousand pages of memory are. A transposition table of 64 MB
//! has sixteen thousand of the usual size and is read at random, so most looks at it begin with
//! a search for the page. Linux gives larger pages to those who ask; other systems are not asked.

/// The usual size of a page, or a part of it.
pub const PAGE: usize = 4096;

/// Asks for large pages where this memory is, before it is first touched. Nothing but the speed
/// depends on the answer.
#[cfg(target_os = "linux")]
pub fn ask_for_large<T>(memory: &mut [T]) {
    use nix::sys::mman::{MmapAdvise, madvise};
    use std::ptr::NonNull;

    // The request is for whole pages: those that are within. Where they are larger than
    // `PAGE`, the system may refuse.
    let start = NonNull::from_mut(memory).cast::<u8>();
    let skipped = start.addr().get().wrapping_neg() % PAGE;
    let length = size_of_val(memory).saturating_sub(skipped) / PAGE * PAGE;
    if length == 0 {
        return;
    }
    // SAFETY: all of these bytes belong to `memory`, or there would be none. The request moves
    // and changes none of them: it is about how the system keeps track of them.
    #[allow(unsafe_code)]
    let _ = unsafe { madvise(start.add(skipped).cast(), length, MmapAdvise::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
pub fn ask_for_large<T>(_: &mut [T]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn what_is_in_memory_stays() {
        let mut memory: Vec<u16> = (0..40_000).collect();
        for range in [0..40_000, 1..39_999, 0..2048, 17..18, 5..5] {
            ask_for_large(&mut memory[range]);
            assert!(memory.iter().copied().eq(0..40_000));
        }
        ask_for_large(&mut [(); 3]);
    }

    /// What the system notes of the mapping that an address belongs to.
    fn notes_of(address: usize) -> String {
        let maps = fs::read_to_string("/proc/self/smaps").expect("on Linux");
        let mut is_there = false;
        for line in maps.lines() {
            let bounds = line.split(' ').next().and_then(|word| word.split_once('-'));
            let number = |text| usize::from_str_radix(text, 16).ok();
            if let Some((start, end)) = bounds
                && let (Some(start), Some(end)) = (number(start), number(end))
            {
                is_there = (start..end).contains(&address);
            } else if is_there && let Some(notes) = line.strip_prefix("VmFlags:") {
                return notes.into();
            }
        }
        panic!("no mapping has {address:#x}");
    }

    #[test]
    fn the_system_is_asked() {
        if !Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            return;
        }
        // So much comes from the system, and not from what was freed before.
        let mut memory = vec![0_u8; 64 << 20];
        let middle = memory.as_ptr().addr() + memory.len() / 2;
        assert!(!notes_of(middle).contains(" hg"));
        ask_for_large(&mut memory);
        assert!(notes_of(middle).contains(" hg"));
    }
}
