/// Draws a script: what a seed makes of the options.
struct SimulationPlan {
    /// What the app can do, by weight.
    struct Choice: Sendable {
        let name: String
        let weight: Int
    }

    private let options: SimulationOptions
    private let choices: [Choice]
    private let scopes: Int
    private let hasUpgrade: Bool
    private let seed: UInt64
    private var random: SplitMix64
    private var steps: [SimulationStep] = []
    private var length = Duration.zero

    init(
        _ options: SimulationOptions,
        _ choices: [Choice],
        scopes: Int,
        hasUpgrade: Bool,
        seed: UInt64
    ) {
        self.options = options
        self.choices = choices
        self.scopes = scopes
        self.hasUpgrade = hasUpgrade
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    /// The script.
    mutating func script() -> SimulationScript {
        for replica in 0..<options.replicas { addOperations(replica) }
        if !choices.isEmpty {
            for _ in 0..<random.next(below: 1 + options.operations / 8) {
                add(.serverOperate(choice()), at: moment())
            }
        }
        for replica in 0..<options.replicas { addHardships(replica) }
        addServerHardships()
        steps.sort { ($0.time, $0.replica) < ($1.time, $1.replica) }
        return SimulationScript(seed: seed, replicas: options.replicas, steps: steps)
    }

    /// Persons work in bursts, with pauses in which everything may be pushed and pulled.
    private mutating func addOperations(_ replica: Int) {
        guard !choices.isEmpty else { return }
        var time = Duration.milliseconds(random.next(below: 5_000))
        var burst = 0
        for _ in 0..<options.operations {
            if burst == 0 {
                burst = 1 + random.next(below: 24)
                time += .milliseconds(random.next(below: 30_000))
            }
            burst -= 1
            time += .milliseconds(1 + random.next(below: 700))
            add(.operate(choice()), at: time, replica)
            if random.next(below: 24) == 0 { add(.trigger, at: time, replica) }
        }
        length = max(length, time)
    }

    private mutating func addHardships(_ replica: Int) {
        let hardships = options.hardships
        if hardships.contains(.network) { addNetwork(replica) }
        if hardships.contains(.crashes) {
            for _ in 0..<random.next(below: 6) {
                add(
                    .crash(
                        losesPower: random.next(below: 3) > 0,
                        calls: callsToCrash(),
                        pause: .milliseconds(random.next(below: 20_000))
                    ),
                    at: moment(),
                    replica
                )
            }
            for _ in 0..<random.next(below: 3) { add(.restart, at: moment(), replica) }
        }
        if hardships.contains(.clocks) {
            for _ in 0..<random.next(below: 3) {
                let day = 86_400
                add(.clock(by: .seconds(random.next(below: 2 * day) - day)), at: moment(), replica)
            }
        }
        if hardships.contains(.fullDisks), random.next(below: 6) == 0 {
            add(.fullDisk(lasting: span(20)), at: moment(), replica)
        }
        if hardships.contains(.backups), random.next(below: 10) == 0 {
            add(.backUp, at: length * 0.5 * share(), replica)
            add(.restore, at: length * (0.5 + 0.5 * share()), replica)
        }
        if hardships.contains(.scopes), scopes > 1, random.next(below: 6) == 0 {
            let place = random.next(below: scopes)
            add(.revoke(place: place, lasting: span(60)), at: moment(), replica)
        }
        if hardships.contains(.upgrades), hasUpgrade, random.next(below: 2) == 0 {
            add(.upgrade, at: moment(), replica)
        }
    }

    /// Half of the crashes come soon or late in a commit, the others while the disk may be at rest.
    private mutating func callsToCrash() -> Int? {
        switch random.next(below: 4) {
        case 0: 1 + random.next(below: 6)
        case 1: random.next(below: 60)
        default: nil
        }
    }

    private mutating func addNetwork(_ replica: Int) {
        // Some are on the way when the last edit is made.
        if random.next(below: 3) == 0 {
            let link: NetworkConditions.Link = random.next(below: 2) == 0 ? .offline : .portal
            add(
                .network(NetworkConditions(link), lasting: span(60)),
                at: length * (0.9 + 0.1 * share()),
                replica
            )
        }
        for _ in 0..<random.next(below: 7) {
            switch random.next(below: 8) {
            case 0..<4:
                add(.network(poor(), lasting: span(90)), at: moment(), replica)
            case 4, 5:
                add(.network(NetworkConditions(.offline), lasting: span(90)), at: moment(), replica)
            case 6:
                add(.network(NetworkConditions(.portal), lasting: span(40)), at: moment(), replica)
            default:
                add(.network(NetworkConditions(.silent), lasting: span(60)), at: moment(), replica)
            }
        }
    }

    private mutating func poor() -> NetworkConditions {
        var conditions = NetworkConditions.poor
        conditions.lostRequests *= 3 * share()
        conditions.lostAnswers *= 4 * share()
        conditions.duplicates *= 3 * share()
        conditions.lateRequests *= 3 * share()
        conditions.refusals *= 3 * share()
        conditions.garbage *= 3 * share()
        conditions.distortions *= 3 * share()
        return conditions
    }

    private mutating func addServerHardships() {
        if options.hardships.contains(.server) {
            for _ in 0..<random.next(below: 4) {
                let statuses = [500, 503, 429, 401, 413, 404]
                let status = statuses[random.next(below: statuses.count)]
                let pushesOnly = status == 413 || random.next(below: 2) == 0
                // Long enough to tell whether pulls go on.
                let time = span(pushesOnly ? 150 : 60)
                add(
                    .outage(status: status, pushesOnly: pushesOnly, lasting: time),
                    at: moment()
                )
            }
            if random.next(below: 4) == 0 { add(.quota(lasting: span(60)), at: moment()) }
            if random.next(below: 4) == 0 { add(.refusing(lasting: span(10)), at: moment()) }
            for _ in 0..<random.next(below: 6) { add(.purge, at: moment()) }
            for _ in 0..<random.next(below: 3) { add(.collectKeys, at: moment()) }
        }
        if options.hardships.contains(.backups), random.next(below: 12) == 0 {
            add(.serverBackUp, at: length * 0.5 * share())
            add(.serverRestore, at: length * (0.5 + 0.5 * share()))
        }
    }

    private mutating func add(
        _ action: SimulationStep.Action,
        at time: Duration,
        _ replica: Int = 0
    ) {
        steps.append(SimulationStep(at: time, replica: replica, action, seed: random.next()))
    }

    private mutating func choice() -> String {
        var number = random.next(below: choices.reduce(0) { $0 + $1.weight })
        for choice in choices {
            number -= choice.weight
            if number < 0 { return choice.name }
        }
        return choices[0].name
    }

    private mutating func moment() -> Duration { length * share() }

    private mutating func span(_ seconds: Int) -> Duration {
        .milliseconds(1 + random.next(below: seconds * 1_000))
    }

    private mutating func share() -> Double { Double(random.next() >> 11) * 0x1p-53 }
}
