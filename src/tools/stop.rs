//! A request to end that reaches everybody who waits.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use parking_lot::Mutex;

/// Shared by those who may ask for an end and those who obey. It cannot be taken back.
#[derive(Clone)]
pub struct Stop {
    /// Its end closes the channel, which all receivers feel at once.
    open: Arc<Mutex<Option<Sender<()>>>>,
    closed: Receiver<()>,
}

impl Default for Stop {
    fn default() -> Stop {
        let (sender, closed) = bounded(0);
        Stop {
            open: Arc::new(Mutex::new(Some(sender))),
            closed,
        }
    }
}

impl Stop {
    pub fn request(&self) {
        *self.open.lock() = None;
    }

    pub fn is_requested(&self) -> bool {
        self.closed.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// A channel that never carries anything, and closes with the request.
    pub fn channel(&self) -> &Receiver<()> {
        &self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_reaches_all_copies() {
        let stop = Stop::default();
        let other = stop.clone();
        assert!(!stop.is_requested() && !other.is_requested());
        let waiting = std::thread::spawn(move || other.channel().recv().is_err());
        stop.request();
        stop.request();
        assert!(stop.is_requested() && waiting.join().expect("no panic"));
    }
}
