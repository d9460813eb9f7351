extension CommandSyntax {
    /// The line that shows how the subcommand is called.
    package var usage: String {
        var words = ["hold", name]
        for positional in positionals {
            words.append(positional.isRequired ? positional.name : "[\(positional.name)]")
        }
        for option in options where option.name != "help" {
            words.append("[\(option.spelling)]" + (option.repeats ? "..." : ""))
        }
        return words.joined(separator: " ")
    }

    /// The page that `--help` prints.
    package var help: String {
        var sections = [summary.capitalizedFirst + ".", "Usage: \(usage)".wrapped(to: 80)]
        if !discussion.isEmpty { sections.append(discussion.wrapped(to: 80)) }
        sections.append("Options:\n" + optionLines.joined(separator: "\n"))
        let examples = example.split(separator: "\n").map { "  \($0)" }
        sections.append("Example:\n" + examples.joined(separator: "\n"))
        return sections.joined(separator: "\n\n") + "\n"
    }

    private var optionLines: [String] {
        let width = options.map(\.spelling.count).max() ?? 0
        return options.map { option in
            let padding = String(repeating: " ", count: width - option.spelling.count)
            return "  \(option.spelling)\(padding)  \(option.summary)"
        }
    }
}

extension CommandSyntax.Option {
    fileprivate var spelling: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The text with lines broken at spaces; lines that are indented stay as they are.
    fileprivate func wrapped(to width: Int) -> String {
        split(separator: "\n").map { line in
            if line.hasPrefix("  ") { return String(line) }
            var lines = [""]
            for word in line.split(separator: " ") {
                let last = lines[lines.count - 1]
                if !last.isEmpty, last.count + 1 + word.count > width {
                    lines.append(String(word))
                } else {
                    lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
                }
            }
            return lines.joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
