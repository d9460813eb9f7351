/// What a subcommand takes: the source of both its parsing and its `--help`.
package struct CommandSyntax: Sendable {
    /// An argument known by its place.
    package struct Positional: Sendable {
        let name: String
        let isRequired: Bool

        /// One that has to be there.
        package static func required(_ name: String) -> Self { Self(name: name, isRequired: true) }

        /// One that may be left out, as may all behind it.
        package static func optional(_ name: String) -> Self { Self(name: name, isRequired: false) }
    }

    /// An argument known by its name.
    package struct Option: Sendable {
        let name: String
        /// What stands for its value in the help; `nil` for a flag, which takes none.
        let value: String?
        let repeats: Bool
        let summary: String

        /// One that is there or not.
        package static func flag(_ name: String, _ summary: String) -> Self {
            Self(name: name, value: nil, repeats: false, summary: summary)
        }

        /// One with a value, given at most once unless it `repeats`.
        package static func value(
            _ name: String,
            _ value: String,
            repeats: Bool = false,
            _ summary: String
        ) -> Self {
            Self(name: name, value: value, repeats: repeats, summary: summary)
        }
    }

    /// The words that select it, such as `torture kill`.
    package let name: String
    /// What it does, in a line.
    package let summary: String
    let positionals: [Positional]
    let options: [Option]
    /// More to know, in lines of its own; may be empty.
    let discussion: String
    let example: String

    /// Describes a subcommand.
    package init(
        _ name: String,
        _ summary: String,
        positionals: [Positional] = [],
        options: [Option] = [],
        discussion: String = "",
        example: String
    ) {
        self.name = name
        self.summary = summary
        self.positionals = positionals
        self.options = options + [.flag("help", "show this help")]
        self.discussion = discussion
        self.example = example
    }
}
