import Foundation

/// The program: the comparison, or one of the children that it starts.
@main
struct Benchmarks {
    static func main() {
        // Away from the main actor, whose every hop would be measured too.
        Task.detached {
            do {
                try await run(Array(CommandLine.arguments.dropFirst()))
                exit(0)
            } catch {
                Console.message("\(error)")
                exit(1)
            }
        }
        dispatchMain()
    }

    private static func run(_ arguments: [String]) async throws {
        if arguments.contains("--help") { return print(Options.help) }
        let options = try Options(arguments)
        if let child = options.child {
            try await Child(options).run(child)
            return
        }
        let place = try TemporaryPlace(in: options.directory)
        defer { place.remove() }
        var results = Results(options)
        try await Comparison(options, at: place.path).run(&results)
        try await OwnFigures(options, at: place.path).run(&results)
        print(results.table)
        if let path = options.json { try write(results.json(), to: path) }
        if let path = options.chart { try write(Data(Chart(results).svg.utf8), to: path) }
    }

    private static func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path))
    }
}
