//! The whole tree that an algorithm went through, to be told or drawn.

use super::{Game, Player, Watch, Window};

/// A state of the tree, and all below it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The action that leads here; empty at the root.
    pub label: String,
    /// The label is nothing but the value, as in leaves of trees that are written out.
    pub is_value: bool,
    /// All actions from the root.
    pub name: String,
    /// Whose turn it is. None in leaves.
    pub player: Option<Player>,
    /// The bounds it was entered with, if the algorithm keeps any.
    pub window: Option<Window>,
    /// The same, as they are written: alpha and beta.
    pub bounds: Option<[String; 2]>,
    /// How likely chance leads here, if it is chance.
    pub probability: Option<f64>,
    /// What came out, one value or one for each player. None if it was pruned.
    pub values: Option<Vec<f64>>,
    /// The same, as it is written.
    pub text: String,
    pub children: Vec<Record>,
}

impl Record {
    pub fn is_pruned(&self) -> bool {
        self.values.is_none()
    }

    /// The value for MAX.
    pub fn value(&self) -> Option<f64> {
        self.values.as_ref()?.first().copied()
    }

    /// The child that the player chooses: the first with the value of the whole.
    pub fn choice(&self) -> Option<usize> {
        match self.player {
            None | Some(Player::Chance) => None,
            Some(_) => self
                .children
                .iter()
                .position(|child| !child.is_pruned() && child.values == self.values),
        }
    }

    /// Whether best play goes on with this child: the player's choice, or whatever chance
    /// brings.
    pub fn goes_on_with(&self, index: usize) -> bool {
        self.player == Some(Player::Chance) || self.choice() == Some(index)
    }

    /// "≥" or "≤" if the true value may lie beyond: where something was pruned, and above it
    /// as long as that value is handed on.
    pub fn sign(&self) -> &'static str {
        let Some(player) = self.player else {
            return "";
        };
        match self.choice() {
            _ if self.is_pruned() => "",
            _ if self.children.iter().any(Record::is_pruned) => {
                if player.is_max() {
                    "≥"
                } else {
                    "≤"
                }
            }
            Some(choice) => self.children[choice].sign(),
            None => "",
        }
    }
}

/// Writes the tree down.
pub struct Recorder {
    /// The tree is written out: leaves are named by their values, and what is below a
    /// pruned action is recorded too.
    is_explicit: bool,
    /// States that may still be recorded.
    room: usize,
    /// The way from the root to where the algorithm is.
    open: Vec<Open>,
    root: Option<Record>,
}

/// A state that has been entered and not left.
struct Open {
    record: Record,
    /// Its actions as they are written, with their probabilities if chance takes them.
    branches: Vec<(String, Option<f64>)>,
}

impl Recorder {
    /// For less than `room` states. Of trees that are written out (`is_explicit`) what is
    /// pruned is shown as far down as it goes, of others as a stub.
    pub fn new(room: usize, is_explicit: bool) -> Recorder {
        Recorder {
            is_explicit,
            room,
            open: Vec::new(),
            root: None,
        }
    }

    /// The tree; none if there was not enough room for it.
    pub fn into_record(self) -> Option<Record> {
        self.root.filter(|_| self.room > 0)
    }

    /// An empty record of a state, reached by the labels of `path`.
    fn blank<G: Game>(&mut self, game: &G, state: &G::State, path: &[String]) -> Record {
        self.room = self.room.saturating_sub(1);
        let player = (!game.is_terminal(state)).then(|| game.player(state));
        Record {
            label: path.last().cloned().unwrap_or_default(),
            is_value: false,
            name: game.path_text(path),
            player,
            window: None,
            bounds: None,
            probability: None,
            values: None,
            text: String::new(),
            children: Vec::new(),
        }
    }

    /// The records of successors that nobody has looked at, from the `first` on.
    fn unseen<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        path: &[String],
        first: usize,
    ) -> Vec<Record> {
        let mut records = Vec::new();
        for action in game.actions(state).iter().skip(first) {
            if self.room == 0 {
                break;
            }
            let path = [path, &[game.action_text(state, action)]].concat();
            let next = game.result(state, action);
            let mut record = self.blank(game, &next, &path);
            if record.player.is_none() {
                record.text = game.value_text(game.utility(&next));
                record.is_value = self.is_explicit && record.label == record.text;
            } else if self.is_explicit {
                record.children = self.unseen(game, &next, &path, 0);
            }
            records.push(record);
        }
        records
    }

    /// The labels of the actions on the way.
    fn path(&self) -> Vec<String> {
        let below_root = self.open.iter().skip(1);
        below_root.map(|open| open.record.label.clone()).collect()
    }
}

impl Watch for Recorder {
    fn enter<G: Game>(&mut self, game: &G, state: &G::State, window: Window) {
        if self.room == 0 {
            return;
        }
        let branch = self.open.last().map(|parent| {
            let place = parent.record.children.len();
            parent.branches[place].clone()
        });
        let mut path = self.path();
        path.extend(branch.iter().map(|(label, _)| label.clone()));
        let mut record = self.blank(game, state, &path);
        record.probability = branch.and_then(|(_, probability)| probability);
        if !window.alpha.is_nan() {
            record.window = Some(window);
            record.bounds = Some([window.alpha, window.beta].map(|value| game.value_text(value)));
        }
        let mut branches = Vec::new();
        if let Some(player) = record.player {
            for action in game.actions(state) {
                let is_chance = player == Player::Chance;
                let probability = is_chance.then(|| game.probability(state, &action));
                branches.push((game.action_text(state, &action), probability));
            }
        }
        self.open.push(Open { record, branches });
    }

    fn leave<G: Game>(&mut self, game: &G, state: &G::State, values: &[f64], pruned: usize) {
        if self.room == 0 {
            return;
        }
        let path = self.path();
        let Some(Open { mut record, .. }) = self.open.pop() else {
            return;
        };
        if pruned > 0 {
            let first = record.children.len();
            record
                .children
                .extend(self.unseen(game, state, &path, first));
        }
        let texts: Vec<String> = values.iter().map(|&value| game.value_text(value)).collect();
        record.text = texts.join(",");
        record.is_value = self.is_explicit && record.label == record.text;
        record.values = Some(values.to_vec());
        match self.open.last_mut() {
            Some(parent) => parent.record.children.push(record),
            None => self.root = Some(record),
        }
    }
}
