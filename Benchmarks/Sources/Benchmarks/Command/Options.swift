/// What the command line asks for.
struct Options: Sendable {
    static let help = """
        usage: Benchmarks/run [options]

          --records N        records in each store (1000000)
          --rounds N         rounds of all workloads, interleaved between the engines (3)
          --only A,B         workloads: \(Plan.names.joined(separator: ", "))
          --engines A,B      engines: \(EngineKind.allCases.map(\.rawValue).joined(separator: ", "))
          --seconds N        time of one piece of work in a round, in eight parts (0.4)
          --quantile Q       which of its turns stands for a figure, from the worst to the best: 0.5,
                             the median, or more where other programs disturb some turns
          --seed N           the seed that all notes and choices follow from
          --json FILE        writes every figure of every round
          --chart FILE.svg   draws Holdfast against the best peer
          --directory DIR    an empty directory on the disk to measure

        """

    var records = 1_000_000
    var rounds = 3
    var only: [String] = []
    var engines = EngineKind.allCases
    var slice = Duration.milliseconds(400)
    var quantile = 0.5
    var seed: UInt64 = 20_260_101
    var json: String?
    var chart: String?
    var directory: String?
    /// What a child of the benchmark does; `nil` for the benchmark itself.
    var child: String?
    /// The records that are in the store which a child opens.
    var present = 0

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure("\(name) needs a value") }
            try set(name, value)
        }
    }

    private mutating func set(_ name: String, _ value: String) throws {
        switch name {
        case "--records": records = try Self.number(name, value, in: 1_000...100_000_000)
        case "--rounds": rounds = try Self.number(name, value, in: 1...1_000)
        case "--present": present = try Self.number(name, value, in: 0...1_000_000_000)
        case "--only": only = try Self.names(name, value, of: Plan.names)
        case "--engines":
            engines = try Self.names(name, value, of: EngineKind.allCases.map(\.rawValue))
                .compactMap(EngineKind.init)
        case "--seconds":
            guard let seconds = Double(value), seconds > 0, seconds < 3_600 else {
                throw Failure("\(name) takes a number of seconds")
            }
            slice = .seconds(seconds)
        case "--quantile":
            guard let share = Double(value), (0...1).contains(share) else {
                throw Failure("\(name) takes a share from 0 to 1")
            }
            quantile = share
        case "--seed": seed = UInt64(try Self.number(name, value, in: 0 ... .max))
        case "--json": json = value
        case "--chart": chart = value
        case "--directory": directory = value
        case "--child": child = value
        default: throw Failure("there is no option \(name)\n\n\(Self.help)")
        }
    }

    private static func number(
        _ name: String,
        _ value: String,
        in range: ClosedRange<Int>
    ) throws -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw Failure("\(name) takes a number from \(range.lowerBound) on")
        }
        return number
    }

    private static func names(_ name: String, _ value: String, of all: [String]) throws -> [String]
    {
        let names = value.split(separator: ",").map(String.init)
        if let unknown = names.first(where: { !all.contains($0) }) {
            let known = all.joined(separator: ", ")
            throw Failure("\(name) does not know \(unknown); it takes \(known)")
        }
        return names
    }
}
