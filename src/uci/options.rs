//! The options, one row each: name, kind, effect, present value, and what it is for.
//! The answer to `uci`, `setoption`, `options` and the README all come from here.

use std::time::Duration;

use crate::board::Rules;
use crate::engine::{DEFAULT_TABLE, MAX_RATING, MIN_RATING};
use crate::search::MAX_THREADS;

use super::state::State;

/// What kind of value an option takes, with its default.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Check(bool),
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// One of several words, the first by default.
    Combo(fn() -> Vec<&'static str>),
    Button,
    Text(&'static str),
}

/// A value that fits its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    Flag(bool),
    Number(i64),
    Word(&'a str),
}

pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
    /// Waits for the end of a search.
    pub needs_rest: bool,
    /// Makes it so. On an error nothing has changed.
    set: fn(&mut State, Value) -> Result<(), String>,
    get: fn(&State) -> String,
    pub about: &'static str,
}

const RATING: i64 = 1500;

/// The `EvalFile` that stands for no file.
pub const BUILT_IN: &str = "<internal>";

const ABOUT: &str = concat!(
    "Tessera ",
    env!("CARGO_PKG_VERSION"),
    ", chess on boards of 4x5 to 8x8, MIT or Apache-2.0"
);

pub static OPTIONS: [Row; 18] = [
    Row {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_TABLE as i64,
            min: 1,
            max: 33_554_432,
        },
        needs_rest: true,
        set: |state, value| state.engine.resize_table(value.number() as usize),
        get: |state| state.engine.table_megabytes().to_string(),
        about: "size of the transposition table in MB; one that there is no memory for is refused",
    },
    Row {
        name: "Clear Hash",
        kind: Kind::Button,
        needs_rest: true,
        set: |state, _| {
            state.engine.clear_table();
            Ok(())
        },
        get: |_| String::new(),
        about: "forget what the table knows",
    },
    Row {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i64,
        },
        needs_rest: true,
        set: |state, value| state.engine.resize_pool(value.number() as usize),
        get: |state| state.engine.threads().to_string(),
        about: "search threads; with one the search is deterministic",
    },
    Row {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 256,
        },
        needs_rest: false,
        set: |state, value| {
            state.engine.settings.lines = value.number() as usize;
            Ok(())
        },
        get: |state| state.engine.settings.lines.to_string(),
        about: "how many best moves to follow, each with its line",
    },
    Row {
        name: "Ponder",
        kind: Kind::Check(false),
        needs_rest: false,
        set: |state, value| {
            state.engine.settings.pondering = value.flag();
            Ok(())
        },
        get: |state| state.engine.settings.pondering.to_string(),
        about: "pondering is on: moves may take a little more of the clock",
    },
    Row {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: 5000,
        },
        needs_rest: false,
        set: |state, value| {
            state.engine.settings.overhead = Duration::from_millis(value.number() as u64);
            Ok(())
        },
        get: |state| state.engine.settings.overhead.as_millis().to_string(),
        about: "milliseconds of each move that are lost on the way to the referee; also with `movetime`",
    },
    Row {
        name: "UCI_Chess960",
        kind: Kind::Check(false),
        needs_rest: false,
        set: |state, value| {
            state.chess960 = value.flag();
            Ok(())
        },
        get: |state| state.chess960.to_string(),
        about: "write castling as the king capturing its rook; both ways are always read",
    },
    Row {
        name: "UCI_Variant",
        kind: Kind::Combo(|| Rules::ALL.map(|rules| rules.name).to_vec()),
        needs_rest: true,
        set: |state, value| state.choose_variant(value.word()),
        get: |state| state.engine.rules().name.to_string(),
        about: "the game; sets up its start position",
    },
    Row {
        name: "UCI_ShowWDL",
        kind: Kind::Check(false),
        needs_rest: false,
        set: |state, value| {
            state.show_wdl = value.flag();
            Ok(())
        },
        get: |state| state.show_wdl.to_string(),
        about: "add the chances of win, draw and loss in per mille to each score",
    },
    Row {
        name: "UCI_AnalyseMode",
        kind: Kind::Check(false),
        needs_rest: true,
        set: |state, value| {
            state.engine.settings.analysing = value.flag();
            state.engine.rating_changed();
            Ok(())
        },
        get: |state| state.engine.settings.analysing.to_string(),
        about: "analysis, not play: UCI_LimitStrength is ignored",
    },
    Row {
        name: "UCI_LimitStrength",
        kind: Kind::Check(false),
        needs_rest: true,
        set: |state, value| {
            state.limits_strength = value.flag();
            state.apply_rating();
            Ok(())
        },
        get: |state| state.limits_strength.to_string(),
        about: "play at the strength of UCI_Elo",
    },
    Row {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: RATING,
            min: MIN_RATING as i64,
            max: MAX_RATING as i64,
        },
        needs_rest: true,
        set: |state, value| {
            state.rating = value.number() as u32;
            state.apply_rating();
            Ok(())
        },
        get: |state| state.rating.to_string(),
        about: "about how strong to play, on the scales of Stockfish and Fairy-Stockfish; after each ucinewgame its mistakes are others",
    },
    Row {
        name: "EvalFile",
        kind: Kind::Text(BUILT_IN),
        needs_rest: true,
        set: |state, value| state.load_network(value.word()),
        get: |state| state.eval_file.clone(),
        about: "a network to evaluate its game with, instead of the one that is built in; a bad file is refused and changes nothing",
    },
    Row {
        name: "Evaluation",
        kind: Kind::Combo(|| vec!["network", "linear"]),
        needs_rest: true,
        set: |state, value| {
            state.engine.set_use_network(value.word() == "network");
            Ok(())
        },
        get: |state| {
            let names = ["linear", "network"];
            names[usize::from(state.engine.settings.use_network)].to_string()
        },
        about: "what positions are evaluated by; games without a network always have the linear evaluation",
    },
    Row {
        name: "Endgames",
        kind: Kind::Check(true),
        needs_rest: true,
        set: |state, value| {
            state.engine.settings.use_endgames = value.flag();
            state.engine.clear_table();
            Ok(())
        },
        get: |state| state.engine.settings.use_endgames.to_string(),
        about: "ask endgame tables; on compact boards those of up to four men are made when the game is chosen",
    },
    Row {
        name: "EndgamePath",
        kind: Kind::Text(""),
        needs_rest: true,
        set: |state, value| state.set_endgame_path(value.word()),
        get: |state| {
            let path = state.engine.endgame_path();
            path.map_or_else(String::new, |path| path.display().to_string())
        },
        about: "a folder with tables of 'tessera endgame build'; a file that is damaged or for another game is named and left out",
    },
    Row {
        name: "UCI_EngineAbout",
        kind: Kind::Text(ABOUT),
        needs_rest: false,
        set: |_, value| match value.word() {
            ABOUT => Ok(()),
            _ => Err("UCI_EngineAbout can only be read".to_string()),
        },
        get: |_| ABOUT.to_string(),
        about: "what this engine is; can only be read",
    },
    Row {
        name: "Debug Log File",
        kind: Kind::Text(""),
        needs_rest: false,
        set: |state, value| {
            state.output.log_to(value.word())?;
            state.log_file = value.word().to_string();
            Ok(())
        },
        get: |state| state.log_file.clone(),
        about: "append all that is said to this file, both ways, with times; empty for none",
    },
];

/// The default of `UCI_Elo`.
pub const DEFAULT_RATING: u32 = RATING as u32;

impl Value<'_> {
    fn flag(self) -> bool {
        self == Value::Flag(true)
    }

    fn number(self) -> i64 {
        match self {
            Value::Number(number) => number,
            _ => 0,
        }
    }
}

impl<'a> Value<'a> {
    fn word(self) -> &'a str {
        match self {
            Value::Word(word) => word,
            _ => "",
        }
    }
}

impl Row {
    /// The option with this name, in any case and with or without blanks.
    pub fn named(name: &str) -> Option<&'static Row> {
        let plain = |name: &str| name.replace(' ', "").to_ascii_lowercase();
        OPTIONS.iter().find(|row| plain(row.name) == plain(name))
    }

    /// Changes the option. On an error nothing has changed.
    pub fn set(&self, state: &mut State, text: Option<&str>) -> Result<(), String> {
        (self.set)(state, self.read(text)?)
    }

    pub fn get(&self, state: &State) -> String {
        (self.get)(state)
    }

    /// The value that a text stands for, if it fits.
    fn read<'a>(&self, text: Option<&'a str>) -> Result<Value<'a>, String> {
        let name = self.name;
        let given = text.unwrap_or_default();
        let shown: String = given.chars().take(40).collect();
        match self.kind {
            Kind::Button => Ok(Value::Word("")),
            Kind::Text(_) => Ok(Value::Word(given)),
            Kind::Check(_) => match given.to_ascii_lowercase().as_str() {
                "true" => Ok(Value::Flag(true)),
                "false" => Ok(Value::Flag(false)),
                _ => Err(format!("{name} is true or false, not {shown:?}")),
            },
            Kind::Spin { min, max, .. } => match given.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Number(number)),
                _ => Err(format!(
                    "{name} is a number from {min} to {max}, not {shown:?}"
                )),
            },
            Kind::Combo(words) => {
                let words = words();
                let known = words.iter().find(|word| word.eq_ignore_ascii_case(given));
                let known = known.map(|&word| Value::Word(word));
                let list = words.join(", ");
                known.ok_or_else(|| format!("{name} is one of {list}, not {shown:?}"))
            }
        }
    }

    /// What `uci` says of the option.
    pub fn declaration(&self) -> String {
        let kind = match self.kind {
            Kind::Check(default) => format!("check default {default}"),
            Kind::Spin { default, min, max } => {
                format!("spin default {default} min {min} max {max}")
            }
            Kind::Combo(words) => {
                let words = words();
                format!("combo default {} var {}", words[0], words.join(" var "))
            }
            Kind::Button => "button".to_string(),
            Kind::Text("") => "string default <empty>".to_string(),
            Kind::Text(default) => format!("string default {default}"),
        };
        format!("option name {} type {kind}", self.name)
    }

    /// The value unless somebody changes it; a button has none.
    pub fn default_value(&self) -> Option<String> {
        match self.kind {
            Kind::Check(default) => Some(default.to_string()),
            Kind::Spin { default, .. } => Some(default.to_string()),
            Kind::Combo(words) => words().first().map(ToString::to_string),
            Kind::Button => None,
            Kind::Text(default) => Some(default.to_string()),
        }
    }

    /// Kind and range for people.
    pub fn summary(&self) -> String {
        match self.kind {
            Kind::Check(default) => format!("true or false, default {default}"),
            Kind::Spin { default, min, max } => format!("{min} to {max}, default {default}"),
            Kind::Combo(words) => format!("one of {}, default {}", words().join(", "), words()[0]),
            Kind::Button => "a button".to_string(),
            Kind::Text("") => "text, default empty".to_string(),
            Kind::Text(_) => "text".to_string(),
        }
    }
}
