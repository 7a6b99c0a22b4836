//! Objects of JSON Lines, written one field after the other.

use std::fmt::{Display, Write};

/// An object under construction.
pub struct Object(String);

impl Object {
    /// An object whose `type` says what it is.
    pub fn new(kind: &str) -> Object {
        Object::empty().text("type", kind)
    }

    /// One that says so by its place.
    pub fn empty() -> Object {
        Object(String::from("{"))
    }

    pub fn text(self, name: &str, value: &str) -> Object {
        self.raw(name, &quote(value))
    }

    /// A number or a boolean.
    pub fn value(self, name: &str, value: impl Display) -> Object {
        self.raw(name, &value.to_string())
    }

    pub fn texts(self, name: &str, values: &[String]) -> Object {
        let values: Vec<String> = values.iter().map(|value| quote(value)).collect();
        self.raw(name, &format!("[{}]", values.join(",")))
    }

    /// A field whose value is JSON already.
    pub fn raw(mut self, name: &str, json: &str) -> Object {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&quote(name));
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    pub fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_text_it_stays_one_line_of_json() {
        let object = Object::new("x").text("a", "\"\\\n\r\t\0é").value("b", -1);
        assert_eq!(
            object.end(),
            r#"{"type":"x","a":"\"\\\n\r\t\u0000é","b":-1}"#
        );
        let moves = ["e2e4".to_string(), "e7e5".to_string()];
        assert_eq!(
            Object::new("y").texts("pv", &moves).end(),
            r#"{"type":"y","pv":["e2e4","e7e5"]}"#
        );
    }
}
