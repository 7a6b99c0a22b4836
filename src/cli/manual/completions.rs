//! Command lines completed by shells: commands, their verbs and options, and what options take.

use std::fmt::Write as _;

use crate::board::Rules;
use crate::uci;

use super::{Part, about, help, helps, parts};

/// What follows an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Takes {
    Nothing,
    /// Something that nobody can guess.
    Words,
    File,
    Game,
}

/// An option of a command.
struct Flag {
    name: String,
    takes: Takes,
    about: String,
}

/// A command and what may follow it.
struct Command {
    name: String,
    about: String,
    /// Words that may come first.
    verbs: Vec<String>,
    flags: Vec<Flag>,
}

/// What stands for a file in the help texts.
const FILES: [&str; 6] = ["FILE", "FILE…", "FOLDER", "NETWORK", "WEIGHTS", "PROGRAM"];

/// All commands with a help of their own, and those that the overview explains.
fn commands() -> Vec<Command> {
    let own = helps().map(|(name, text)| {
        let mut command = command(name, &parts(text));
        command.flags.push(Flag {
            name: "help".to_string(),
            takes: Takes::Nothing,
            about: "explain the command".to_string(),
        });
        command
    });
    let explained = ["perft", "bench"].map(|name| command(name, &explained(name)));
    own.chain(explained).collect()
}

/// What the overview says of a command: lines of its usage, and sections that bear its name.
fn explained(name: &str) -> Vec<Part> {
    let usage = format!("tessera {name}");
    let mut is_inside = false;
    let mut found = parts(&help());
    found.retain(|part| match part {
        Part::Heading(text) => {
            is_inside = text.starts_with(&name.to_uppercase());
            false
        }
        Part::Item(term, _) => is_inside || term.starts_with(&usage),
        Part::Paragraph(_) => false,
    });
    found
}

/// The options that stand before any command.
fn global_flags() -> Vec<Flag> {
    let overview = parts(&help());
    let is = |part: &Part, name: &str| matches!(part, Part::Heading(text) if text == name);
    let options = overview.into_iter().skip_while(|part| !is(part, "OPTIONS"));
    let options: Vec<Part> = options.take_while(|part| !is(part, "COMMANDS")).collect();
    let mut flags = flags(&options);
    for (name, about) in [("help", "all commands"), ("version", "name and version")] {
        flags.push(Flag {
            name: name.to_string(),
            takes: Takes::Nothing,
            about: about.to_string(),
        });
    }
    flags
}

/// The words of the protocol that may begin a command line.
fn protocol_words() -> Vec<(&'static str, &'static str)> {
    let docs = uci::COMMANDS.iter();
    let docs = docs.filter(|doc| uci::is_command(doc.name));
    docs.map(|doc| (doc.name, doc.about)).collect()
}

fn command(name: &str, parts: &[Part]) -> Command {
    Command {
        name: name.to_string(),
        about: about(name),
        verbs: verbs(name, parts),
        flags: flags(parts),
    }
}

/// The small words right behind the command in lines such as `tessera data stats FILE…`, and
/// those that are explained by themselves.
fn verbs(name: &str, parts: &[Part]) -> Vec<String> {
    let beginning = format!("tessera {name} ");
    let is_verb = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    let mut verbs = Vec::new();
    for part in parts {
        let (Part::Item(text, _) | Part::Paragraph(text)) = part else {
            continue;
        };
        let word = match text.strip_prefix(&beginning) {
            Some(rest) => rest.split(' ').next(),
            None => Some(text.as_str()),
        };
        verbs.extend(word.filter(is_verb).map(str::to_string));
    }
    verbs.sort();
    verbs.dedup();
    verbs
}

/// The options that items explain: `--games N, --positions N` are two. Then those that are only
/// mentioned, in a line of usage or in what an item says.
fn flags(parts: &[Part]) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    let mut add = |text: &str, about: &str| {
        let brackets = ['[', ']', '(', ')', ',', ';'];
        let mut words = text
            .split(' ')
            .map(|word| word.trim_matches(brackets))
            .peekable();
        while let Some(word) = words.next() {
            if let Some(name) = word.strip_prefix("--")
                && !flags.iter().any(|flag| flag.name == name)
            {
                flags.push(Flag {
                    name: name.to_string(),
                    takes: takes(name, words.peek().copied().unwrap_or_default()),
                    about: about.to_string(),
                });
            }
        }
    };
    for part in parts {
        if let Part::Item(term, text) = part
            && term.starts_with("--")
        {
            add(term, text);
        }
    }
    for part in parts {
        match part {
            Part::Paragraph(text) if text.starts_with("tessera ") => add(text, ""),
            Part::Item(term, text) => {
                add(term, "");
                add(text, "");
            }
            Part::Paragraph(_) | Part::Heading(_) => {}
        }
    }
    flags
}

/// What an option takes, by the word behind it: capitals stand for something.
fn takes(name: &str, next: &str) -> Takes {
    match next {
        "NAME" if name == "variant" => Takes::Game,
        word if FILES.contains(&word) => Takes::File,
        word if word.starts_with(|letter: char| letter.is_ascii_uppercase()) => Takes::Words,
        _ => Takes::Nothing,
    }
}

fn games() -> String {
    let names: Vec<&str> = Rules::ALL.iter().map(|rules| rules.name).collect();
    names.join(" ")
}

/// For bash, without help from elsewhere.
pub fn bash() -> String {
    let commands = commands();
    let mut cases = String::new();
    let mut files = Vec::new();
    let mut words = Vec::new();
    for Command {
        name, verbs, flags, ..
    } in &commands
    {
        let flag_names: Vec<String> = flags
            .iter()
            .map(|flag| format!("--{}", flag.name))
            .collect();
        let _ = writeln!(
            cases,
            "        {name}) words=\"{}\" ;;",
            [verbs.join(" "), flag_names.join(" ")].join(" ").trim()
        );
        for flag in flags {
            let list = match flag.takes {
                Takes::File => &mut files,
                Takes::Words => &mut words,
                Takes::Nothing | Takes::Game => continue,
            };
            list.push(format!("--{}", flag.name));
        }
    }
    for list in [&mut files, &mut words] {
        list.sort();
        list.dedup();
    }
    let global = global_flags();
    let mut first: Vec<String> = global
        .iter()
        .map(|flag| format!("--{}", flag.name))
        .collect();
    first.extend(commands.iter().map(|command| command.name.clone()));
    first.extend(protocol_words().iter().map(|(word, _)| (*word).to_string()));
    first.sort();
    first.dedup();
    let (first, files, words, games) = (first.join(" "), files.join("|"), words.join("|"), games());
    format!(
        "# Completes command lines of tessera in bash. Written by 'tessera completions bash'.\n\
         _tessera() {{\n    \
             local now=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\" words\n    \
             COMPREPLY=()\n    \
             if [ \"$COMP_CWORD\" -eq 1 ]; then\n        \
                 COMPREPLY=($(compgen -W \"{first}\" -- \"$now\"))\n        \
                 return\n    \
             fi\n    \
             case \"$before\" in\n        \
                 --variant) COMPREPLY=($(compgen -W \"{games}\" -- \"$now\")); return ;;\n        \
                 {files}) COMPREPLY=($(compgen -f -- \"$now\")); return ;;\n        \
                 {words}) return ;;\n    \
             esac\n    \
             case \"${{COMP_WORDS[1]}}\" in\n\
         {cases}        \
                 *) words=\"\" ;;\n    \
             esac\n    \
             COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n    \
             case \"$now\" in\n        \
                 -*) ;;\n        \
                 *) COMPREPLY+=($(compgen -f -- \"$now\")) ;;\n    \
             esac\n\
         }}\n\
         complete -o filenames -F _tessera tessera\n"
    )
}

/// For zsh.
pub fn zsh() -> String {
    let commands = commands();
    let row = |name: &str, about: &str| {
        let text = format!("{name}:{}", about.replace(':', ";"));
        format!("        {}\n", quoted(&text))
    };
    let mut rows: String = commands.iter().map(|c| row(&c.name, &c.about)).collect();
    let is_new = |word: &str| !commands.iter().any(|command| command.name == word);
    for (word, about) in protocol_words() {
        if is_new(word) {
            rows += &row(word, about);
        }
    }
    let mut cases = String::new();
    for Command {
        name, verbs, flags, ..
    } in &commands
    {
        let _ = writeln!(cases, "        {name})\n            _arguments \\");
        for flag in flags {
            let _ = writeln!(cases, "                {} \\", quoted(&zsh_flag(flag)));
        }
        let verbs = verbs.join(" ");
        let _ = match verbs.as_str() {
            "" => writeln!(cases, "                '*:file:_files' ;;"),
            _ => writeln!(
                cases,
                "                '1:what:({verbs})' '*:file:_files' ;;"
            ),
        };
    }
    let globals: Vec<String> = global_flags()
        .iter()
        .map(|flag| quoted(&zsh_flag(flag)))
        .collect();
    let globals = globals.join(" ");
    format!(
        "#compdef tessera\n\
         # Completes command lines of tessera in zsh. Written by 'tessera completions zsh'.\n\
         _tessera() {{\n    \
             local context state line\n    \
             local -a commands\n    \
             commands=(\n{rows}    )\n    \
             _arguments -C {globals} '1:command:->command' '*::argument:->argument'\n    \
             case \"$state\" in\n    \
             command) _describe command commands ;;\n    \
             argument)\n        \
             case \"$line[1]\" in\n\
         {cases}        \
             esac ;;\n    \
             esac\n\
         }}\n\
         if [ \"$funcstack[1]\" = _tessera ]; then _tessera \"$@\"; else compdef _tessera tessera; fi\n"
    )
}

/// An option as `_arguments` has it.
fn zsh_flag(flag: &Flag) -> String {
    let about = flag.about.replace('[', "(").replace(']', ")");
    let about = about.replace(':', ";");
    let takes = match flag.takes {
        Takes::Nothing => String::new(),
        Takes::Words => ":value: ".to_string(),
        Takes::File => ":file:_files".to_string(),
        Takes::Game => format!(":game:({})", games()),
    };
    format!("--{}[{about}]{takes}", flag.name)
}

/// For fish.
pub fn fish() -> String {
    let mut text =
        "# Completes command lines of tessera in fish. Written by 'tessera completions fish'.\n"
            .to_string();
    let commands = commands();
    for flag in global_flags() {
        let _ = writeln!(
            text,
            "complete -c tessera -n __fish_use_subcommand -l {} -d {}",
            flag.name,
            fish_quoted(&flag.about)
        );
    }
    let words = commands.iter().map(|c| (c.name.as_str(), c.about.as_str()));
    let own: Vec<(&str, &str)> = words.collect();
    let is_new = |word: &str| !own.iter().any(|(name, _)| *name == word);
    let protocol = protocol_words();
    let protocol = protocol.iter().copied().filter(|(word, _)| is_new(word));
    for (word, about) in own.iter().copied().chain(protocol) {
        let _ = writeln!(
            text,
            "complete -c tessera -n __fish_use_subcommand -f -a {word} -d {}",
            fish_quoted(about)
        );
    }
    for Command {
        name, verbs, flags, ..
    } in &commands
    {
        let seen = format!("'__fish_seen_subcommand_from {name}'");
        for verb in verbs {
            let _ = writeln!(text, "complete -c tessera -n {seen} -a {verb}");
        }
        for flag in flags {
            let takes = match flag.takes {
                Takes::Nothing => String::new(),
                Takes::Words => " -x".to_string(),
                Takes::File => " -r -F".to_string(),
                Takes::Game => format!(" -x -a '{}'", games()),
            };
            let _ = writeln!(
                text,
                "complete -c tessera -n {seen} -l {}{takes} -d {}",
                flag.name,
                fish_quoted(&flag.about)
            );
        }
    }
    text
}

/// In single quotes, for zsh.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// In single quotes, for fish, where a backslash saves the next one.
fn fish_quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "\\'");
    format!("'{text}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Command {
        let mut commands = commands().into_iter();
        commands.find(|command| command.name == name).expect(name)
    }

    fn takes_of(command: &str, flag: &str) -> Takes {
        let command = named(command);
        let mut flags = command.flags.iter();
        flags.find(|row| row.name == flag).expect(flag).takes
    }

    #[test]
    fn help_texts_tell_what_options_take() {
        assert_eq!(takes_of("selfplay", "variant"), Takes::Game);
        assert_eq!(takes_of("selfplay", "positions"), Takes::Words);
        assert_eq!(takes_of("selfplay", "linear"), Takes::Nothing);
        assert_eq!(takes_of("train", "start"), Takes::File);
        assert_eq!(takes_of("perft", "suite"), Takes::File);
        assert_eq!(takes_of("perft", "divide"), Takes::Nothing);
        assert_eq!(takes_of("bench", "compare"), Takes::File);
        assert_eq!(takes_of("train", "out"), Takes::File);
        assert_eq!(takes_of("data", "seed"), Takes::Words);
        assert_eq!(takes_of("textbook", "branching"), Takes::Words);
        assert_eq!(
            named("data").verbs,
            ["chances", "merge", "shuffle", "stats", "verify"]
        );
        assert_eq!(named("completions").verbs, ["bash", "fish", "zsh"]);
    }

    #[test]
    fn every_shell_hears_of_every_option() {
        let texts = [bash(), zsh(), fish()];
        for command in commands() {
            for flag in &command.flags {
                let long = format!("--{}", flag.name);
                let short = format!("-l {}", flag.name);
                for text in &texts {
                    assert!(text.contains(&long) || text.contains(&short), "{long}");
                }
            }
        }
    }
}
