//! One of the two who play: an engine that is set up for the game, and started again if it fails.

use std::time::{Duration, Instant};

use crate::board::{CHESS, Rules};
use crate::tools::peer::{Launch, Line, Peer, Trouble};
use crate::tools::stop::Stop;

use super::clock::Limit;

/// Who plays, and with which settings.
#[derive(Clone, Debug)]
pub struct Entrant {
    pub launch: Launch,
    /// Names and values.
    pub options: Vec<(String, String)>,
    pub limit: Limit,
}

/// An entrant at the board. There is one for each game that is played at the same time.
pub struct Player<'a> {
    entrant: &'a Entrant,
    rules: &'static Rules,
    chess960: bool,
    stop: &'a Stop,
    /// `None` after a fault.
    peer: Option<Peer>,
}

/// A move, as text.
pub struct Answer {
    pub mv: String,
    /// What was said before.
    pub lines: Vec<Line>,
    /// From the command to the answer, on our clock.
    pub time: Duration,
}

impl<'a> Player<'a> {
    /// Starts the engine, or says why it cannot take part.
    pub fn start(
        entrant: &'a Entrant,
        rules: &'static Rules,
        chess960: bool,
        stop: &'a Stop,
    ) -> Result<Player<'a>, Trouble> {
        let mut player = Player {
            entrant,
            rules,
            chess960,
            stop,
            peer: None,
        };
        player.peer()?;
        Ok(player)
    }

    fn peer(&mut self) -> Result<&mut Peer, Trouble> {
        let peer = match self.peer.take() {
            Some(peer) => peer,
            None => self.prepared()?,
        };
        Ok(self.peer.insert(peer))
    }

    /// A new process with all its options.
    fn prepared(&self) -> Result<Peer, Trouble> {
        let mut peer = Peer::start(&self.entrant.launch, self.stop)?;
        let mut options: Vec<&(String, String)> = self.entrant.options.iter().collect();
        // Engines divide their tables among the threads, and had better know them first.
        options.sort_by_key(|(name, _)| !name.eq_ignore_ascii_case("Threads"));
        for (name, value) in options {
            peer.set(name, value)?;
        }
        self.choose_game(&mut peer)?;
        peer.wait_ready()?;
        Ok(peer)
    }

    fn choose_game(&self, peer: &mut Peer) -> Result<(), Trouble> {
        const OPTION: &str = "UCI_Variant";
        let (game, name) = (self.rules.name, &self.entrant.launch.name);
        let knows = |peer: &Peer| {
            let offer = peer.offer(OPTION);
            offer.is_some_and(|offer| offer.choice(game).is_some())
        };
        let is_chess = game == CHESS.name;
        if !knows(peer) && !is_chess {
            // Some learn of more games from a file that another option names.
            peer.renew_offers()?;
        }
        if knows(peer) {
            peer.set(OPTION, game)?;
        } else if !is_chess {
            let known = match peer.offer(OPTION) {
                None => format!("it has no option {OPTION}"),
                Some(offer) => format!("{OPTION} is one of {}", offer.choices.join(", ")),
            };
            return Err(Trouble::Refused(format!(
                "{name} does not play {game}: {known}"
            )));
        }
        if self.chess960 {
            peer.set("UCI_Chess960", "true")?;
        }
        Ok(())
    }

    /// Gets ready for another game.
    pub fn begin(&mut self) -> Result<(), Trouble> {
        let peer = self.peer()?;
        peer.say("ucinewgame")?;
        peer.wait_ready()
    }

    /// Thinks about a position until there is a move, or no patience left. What was said late about
    /// an earlier position is not heard.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
    ) -> Result<Answer, Trouble> {
        let peer = self.peer()?;
        peer.say(position)?;
        peer.wait_ready()?;
        let started = Instant::now();
        peer.say(go)?;
        let mut lines = peer.hear_until("bestmove", patience)?;
        let last = lines.pop();
        let (text, at) = last.map_or((String::new(), started), |line| (line.text, line.at));
        let mv = text.split_whitespace().nth(1).unwrap_or("none").to_string();
        let time = at.duration_since(started);
        Ok(Answer { mv, lines, time })
    }

    /// Ends the process after a fault: nobody knows what state it is in. One that has hung is not
    /// asked.
    pub fn dismiss(&mut self, has_hung: bool) {
        if let Some(mut peer) = self.peer.take()
            && has_hung
        {
            peer.kill();
        }
    }
}
