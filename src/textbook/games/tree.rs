//! Games written out: `((3 12 8) (2 4 6) (14 5 2))`.
//!
//! Round brackets are a choice, numbers its ends. MAX begins, and players take turns level by
//! level. `max( )`, `min( )` or `p2( )` say whose choice it is where it is somebody else's.
//! Square brackets are chance: `[100 9]` a fair coin, `[1:100 5:9]` a die with one lucky face;
//! they take nobody's turn. Leaves with several values, `1,2,6`, make a game of as many players.

use std::str::FromStr;

use crate::textbook::{Dice, Game, Player, number};

use super::Misread;

/// A game tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root is the last.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    player: Player,
    /// Empty in leaves.
    children: Vec<usize>,
    /// How likely each child is compared with the others, where chance decides.
    weights: Vec<f64>,
    /// What a leaf is worth to each player. In other nodes the mean of the leaves below.
    values: Vec<f64>,
}

/// Deeper trees than this are not read.
const MAX_HEIGHT: usize = 64;
/// Players are named with a digit.
const MAX_PLAYERS: usize = 9;

impl Tree {
    /// A tree in which every node has `branching` children, `height` levels of them, with
    /// random leaves from -99 to 99.
    pub fn uniform(branching: usize, height: u32, seed: u64) -> Tree {
        let mut tree = Tree { nodes: Vec::new() };
        tree.grow(branching, height, Player::Max, &mut Dice::new(seed));
        tree
    }

    fn grow(&mut self, branching: usize, height: u32, player: Player, dice: &mut Dice) -> usize {
        if height == 0 {
            let value = dice.below(199) as f64 - 99.0;
            return self.add(player, Vec::new(), Vec::new(), vec![value]);
        }
        let below = if player.is_max() {
            Player::Min
        } else {
            Player::Max
        };
        let mut child = || self.grow(branching, height - 1, below, dice);
        let children: Vec<usize> = (0..branching).map(|_| child()).collect();
        let weights = vec![1.0; branching];
        self.add(player, children, weights, Vec::new())
    }

    /// Adds a node whose children are there already.
    fn add(
        &mut self,
        player: Player,
        children: Vec<usize>,
        weights: Vec<f64>,
        mut values: Vec<f64>,
    ) -> usize {
        for &child in &children {
            let below = &self.nodes[child].values;
            values.resize(below.len(), 0.0);
            for (sum, value) in values.iter_mut().zip(below) {
                *sum += value / children.len() as f64;
            }
        }
        self.nodes.push(Node {
            player,
            children,
            weights,
            values,
        });
        self.nodes.len() - 1
    }

    /// The same tree with every value of a leaf replaced.
    pub fn map(&self, change: impl Fn(f64) -> f64) -> Tree {
        let mut tree = Tree { nodes: Vec::new() };
        for node in &self.nodes {
            let values = match node.children.as_slice() {
                [] => node.values.iter().map(|&value| change(value)).collect(),
                _ => Vec::new(),
            };
            tree.add(
                node.player,
                node.children.clone(),
                node.weights.clone(),
                values,
            );
        }
        tree
    }

    /// Whether chance decides anywhere.
    pub fn has_chance(&self) -> bool {
        self.nodes.iter().any(|node| node.player == Player::Chance)
    }

    /// How many values each leaf has.
    pub fn players(&self) -> usize {
        self.nodes.first().map_or(1, |leaf| leaf.values.len())
    }
}

impl Game for Tree {
    /// The number of a node.
    type State = usize;
    /// The place of a child.
    type Action = usize;

    fn initial(&self) -> usize {
        self.nodes.len() - 1
    }

    fn player(&self, &node: &usize) -> Player {
        self.nodes[node].player
    }

    fn actions(&self, &node: &usize) -> Vec<usize> {
        (0..self.nodes[node].children.len()).collect()
    }

    fn result(&self, &node: &usize, &place: &usize) -> usize {
        self.nodes[node].children[place]
    }

    fn is_terminal(&self, &node: &usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    fn utility(&self, &node: &usize) -> f64 {
        self.nodes[node].values[0]
    }

    fn utilities(&self, &node: &usize) -> Vec<f64> {
        match self.nodes[node].values.as_slice() {
            &[value] => vec![value, -value],
            values => values.to_vec(),
        }
    }

    fn probability(&self, &node: &usize, &place: &usize) -> f64 {
        let weights = &self.nodes[node].weights;
        weights[place] / weights.iter().sum::<f64>()
    }

    /// The mean of the leaves below: what may come is all that is known.
    fn evaluation(&self, node: &usize) -> f64 {
        self.utility(node)
    }

    fn evaluations(&self, node: &usize) -> Vec<f64> {
        self.utilities(node)
    }

    /// A leaf is named by its value, everything else by letters: A, B, … Z, AA.
    fn action_text(&self, &node: &usize, &place: &usize) -> String {
        let child = &self.nodes[self.nodes[node].children[place]];
        if child.children.is_empty() {
            let texts: Vec<String> = child.values.iter().map(|&value| number(value)).collect();
            return texts.join(",");
        }
        let letter = char::from(b'A' + (place % 26) as u8).to_string();
        match place / 26 {
            0 => letter,
            rounds => format!("{letter}{rounds}"),
        }
    }

    fn path_text(&self, actions: &[String]) -> String {
        actions.concat()
    }
}

impl FromStr for Tree {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Tree, Misread> {
        let mut reader = Reader {
            letters: text.chars().collect(),
            at: 0,
            tree: Tree { nodes: Vec::new() },
            turns: Vec::new(),
            leaf_values: None,
        };
        let root = reader.node(0)?;
        reader.skip_blanks();
        if reader.at < reader.letters.len() {
            return Err(Misread::at(reader.at, "the tree has ended before this"));
        }
        if reader.tree.is_terminal(&root) {
            return Err(Misread::at(0, "a number alone is no game: write (3 12 8)"));
        }
        reader.give_turns(root, 0)?;
        Ok(reader.tree)
    }
}

/// Reads a tree from left to right.
struct Reader {
    letters: Vec<char>,
    at: usize,
    tree: Tree,
    /// Whose turn it is in each node, as far as the text says.
    turns: Vec<Turn>,
    /// How many values the leaves have, once one has been read.
    leaf_values: Option<usize>,
}

#[derive(Clone, Copy)]
enum Turn {
    /// Whoever is next.
    Next,
    Chance,
    /// A player named in the text, at this place.
    Fixed {
        player: usize,
        at: usize,
    },
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Everything up to a blank, a bracket or a colon.
    fn word(&mut self) -> String {
        let start = self.at;
        let ends = |letter: char| letter.is_whitespace() || "()[]:".contains(letter);
        while self.peek().is_some_and(|letter| !ends(letter)) {
            self.at += 1;
        }
        self.letters[start..self.at].iter().collect()
    }

    /// A leaf, a choice or a turn of chance.
    fn node(&mut self, level: usize) -> Result<usize, Misread> {
        self.skip_blanks();
        let at = self.at;
        if level > MAX_HEIGHT {
            return Err(Misread::at(at, &format!("more than {MAX_HEIGHT} levels")));
        }
        let word = self.word();
        let turn = match (self.peek(), word.as_str()) {
            (Some('('), "") => Turn::Next,
            (Some('['), "") => Turn::Chance,
            (Some('('), name) => Turn::Fixed {
                player: player_named(name, at)?,
                at,
            },
            (Some('['), _) => return Err(Misread::at(at, "chance has no name: '[' stands alone")),
            (Some(letter), "") => {
                return Err(Misread::at(
                    at,
                    &format!("'{letter}' where a number or '(' should stand"),
                ));
            }
            (None, "") => return Err(Misread::at(at, "a number or '(' is missing")),
            (_, word) => return self.leaf(word, at),
        };
        self.choice(turn, level)
    }

    /// The children in a bracket, with their weights if it is a square one.
    fn choice(&mut self, turn: Turn, level: usize) -> Result<usize, Misread> {
        let open = self.at;
        let is_chance = matches!(turn, Turn::Chance);
        let close = if is_chance { ']' } else { ')' };
        self.at += 1;
        let (mut children, mut weights) = (Vec::new(), Vec::new());
        loop {
            self.skip_blanks();
            match self.peek() {
                None => {
                    let column = open + 1;
                    let message =
                        format!("'{close}' is missing for the bracket of column {column}");
                    return Err(Misread::at(self.at, &message));
                }
                Some(letter) if letter == close => break,
                Some(_) => {}
            }
            weights.push(if is_chance { self.weight()? } else { 1.0 });
            children.push(self.node(level + 1)?);
        }
        if children.is_empty() {
            return Err(Misread::at(self.at, "there is nothing in this bracket"));
        }
        self.at += 1;
        self.turns.push(turn);
        Ok(self.tree.add(Player::Max, children, weights, Vec::new()))
    }

    /// A weight, if there is one: a number before a colon.
    fn weight(&mut self) -> Result<f64, Misread> {
        let at = self.at;
        let word = self.word();
        if self.peek() != Some(':') {
            self.at = at;
            return Ok(1.0);
        }
        self.at += 1;
        match word.parse() {
            Ok(weight) if weight > 0.0 && f64::is_finite(weight) => Ok(weight),
            _ => Err(Misread::at(
                at,
                &format!("'{word}' is no weight: a number above 0"),
            )),
        }
    }

    /// Numbers with commas between them.
    fn leaf(&mut self, word: &str, start: usize) -> Result<usize, Misread> {
        let mut values = Vec::new();
        let mut at = start;
        for part in word.split(',') {
            match part.replace('−', "-").parse() {
                Ok(value) if f64::is_finite(value) => values.push(value),
                _ => return Err(Misread::at(at, &format!("'{part}' is not a number"))),
            }
            at += part.chars().count() + 1;
        }
        let count = values.len();
        let expected = *self.leaf_values.get_or_insert(count);
        if count != expected {
            let message = format!("values for {count}, but {expected} in the leaves before");
            return Err(Misread::at(start, &message));
        }
        if count > MAX_PLAYERS {
            return Err(Misread::at(
                start,
                &format!("more than {MAX_PLAYERS} players"),
            ));
        }
        self.turns.push(Turn::Next);
        Ok(self.tree.add(Player::Max, Vec::new(), Vec::new(), values))
    }

    /// Decides whose turn it is in a node and all below it, if nothing is said in the text.
    fn give_turns(&mut self, node: usize, next: usize) -> Result<(), Misread> {
        let leaf_values = self.leaf_values.unwrap_or(1);
        let players = leaf_values.max(2);
        let (player, next) = match self.turns[node] {
            Turn::Chance => (None, next),
            Turn::Next => (Some(next), (next + 1) % players),
            Turn::Fixed { player, at } if player >= players => {
                let message = format!("player {} of {players}", player + 1);
                return Err(Misread::at(at, &message));
            }
            Turn::Fixed { player, .. } => (Some(player), (player + 1) % players),
        };
        self.tree.nodes[node].player = match player {
            None => Player::Chance,
            Some(player) if leaf_values > 1 => Player::One(player),
            Some(0) => Player::Max,
            Some(_) => Player::Min,
        };
        for child in self.tree.nodes[node].children.clone() {
            self.give_turns(child, next)?;
        }
        Ok(())
    }
}

fn player_named(name: &str, at: usize) -> Result<usize, Misread> {
    let number = name
        .strip_prefix('p')
        .and_then(|number| number.parse().ok());
    match (name, number) {
        ("max" | "MAX", _) => Ok(0),
        ("min" | "MIN", _) => Ok(1),
        (_, Some(player @ 1..=MAX_PLAYERS)) => Ok(player - 1),
        _ => Err(Misread::at(
            at,
            &format!("'{name}' before a bracket is no player: max, min, p1 to p{MAX_PLAYERS}"),
        )),
    }
}
