/// Something that happens in a simulation from outside: an edit, a failure, the weather.
///
/// What the replicas and the server do about it follows from it.
public struct SimulationStep: Hashable, Sendable {
    /// What can happen.
    package enum Action: Hashable, Sendable {
        /// A person does something in the app.
        case operate(String)
        /// The process is killed, or the power lost, at the disk call that comes so many later, or
        /// within ten seconds whatever the disk does; it starts again after a while.
        case crash(losesPower: Bool, calls: Int?, pause: Duration)
        /// The app is quit and started.
        case restart
        /// The network changes for a while.
        case network(NetworkConditions, lasting: Duration)
        /// The app asks for a sync: it came to the foreground, or a person pulled down.
        case trigger
        /// The device's clock jumps.
        case clock(by: Duration)
        /// The device's disk is full for a while.
        case fullDisk(lasting: Duration)
        /// The device is backed up.
        case backUp
        /// The device becomes what its last backup was.
        case restore
        /// The device gets the next version of the app.
        case upgrade
        /// Another device, which the server serves too, does something.
        case serverOperate(String)
        /// The server answers each push, or each request, with a status for a while.
        case outage(status: Int, pushesOnly: Bool, lasting: Duration)
        /// The server has no room for new records for a while.
        case quota(lasting: Duration)
        /// The server refuses to validate anything new for a while.
        case refusing(lasting: Duration)
        /// The server forgets its oldest deletions.
        case purge
        /// The server forgets the results that clients have acknowledged.
        case collectKeys
        /// The server is backed up.
        case serverBackUp
        /// The server becomes what its last backup was.
        case serverRestore
        /// A replica's account loses a scope, and gets it back after a while.
        case revoke(place: Int, lasting: Duration)
    }

    /// When, from the simulation's start.
    package var time: Duration
    /// The replica that it happens to, from 0; of no meaning for the server's steps.
    package var replica: Int
    /// What happens.
    package var action: Action
    /// What its details follow from.
    package var seed: UInt64

    package init(at time: Duration, replica: Int, _ action: Action, seed: UInt64) {
        self.time = time
        self.replica = replica
        self.action = action
        self.seed = seed
    }
}

extension SimulationStep: CustomStringConvertible {
    /// When and what, as one line.
    public var description: String {
        let place = action.isAtServer ? "server   " : "replica \(replica)"
        return "\(time.clockText)  \(place)  \(action)"
    }
}

extension SimulationStep.Action: CustomStringConvertible {
    var isAtServer: Bool {
        switch self {
        case .serverOperate, .outage, .quota, .refusing, .purge, .collectKeys, .serverBackUp,
            .serverRestore:
            true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .operate(let name): name
        case .crash(let losesPower, let calls, let pause):
            "\(losesPower ? "loses power" : "is killed")"
                + " \(calls.map { "\($0) disk calls" } ?? "some time") later, and starts"
                + " \(pause.clockText) after that"
        case .restart: "is quit and started"
        case .network(let conditions, let time):
            "has a network that is \(conditions), for \(time.clockText)"
        case .trigger: "asks for a sync"
        case .clock(let jump): "has its clock set by \(jump.components.seconds) s"
        case .fullDisk(let time): "has a full disk for \(time.clockText)"
        case .backUp: "is backed up"
        case .restore: "is restored from its last backup"
        case .upgrade: "gets the next version of the app"
        case .serverOperate(let name): "another device: \(name)"
        case .outage(let status, let pushesOnly, let time):
            "answers \(pushesOnly ? "pushes" : "everything") with \(status) for \(time.clockText)"
        case .quota(let time): "has no room for new records for \(time.clockText)"
        case .refusing(let time): "rejects whatever is new for \(time.clockText)"
        case .purge: "forgets its oldest deletions"
        case .collectKeys: "forgets acknowledged results"
        case .serverBackUp: "is backed up"
        case .serverRestore: "is restored from its last backup"
        case .revoke(let place, let time):
            "loses its scope number \(place) for \(time.clockText)"
        }
    }
}

extension NetworkConditions: CustomStringConvertible {
    /// What stands in between, or what is lost.
    package var description: String {
        guard link == .open else { return link.rawValue }
        let shares: [(String, Double)] = [
            ("loses requests", lostRequests), ("loses answers", lostAnswers),
            ("doubles", duplicates), ("delays", lateRequests), ("refuses", refusals),
            ("garbles", garbage), ("distorts", distortions),
        ]
        let parts = shares.filter { $0.1 > 0 }.map { "\($0.0) \(Int(($0.1 * 100).rounded()))%" }
        return parts.isEmpty ? "good" : parts.joined(separator: ", ")
    }
}

extension Duration {
    /// Minutes, seconds and milliseconds, as in `2:05.300`.
    var clockText: String {
        let milliseconds =
            components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        let (minutes, rest) = milliseconds.quotientAndRemainder(dividingBy: 60_000)
        let (seconds, parts) = rest.quotientAndRemainder(dividingBy: 1_000)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(minutes):\(padded(seconds, 2)).\(padded(parts, 3))"
    }
}
