/// A network in which each request's fate is drawn: it follows from the conditions of its sender at
/// that moment and from the seed.
///
/// It holds no messages and no time; who uses it carries out what it decides.
struct SimulatedNetwork: Sendable {
    /// After this time a transport gives up.
    static let deadline = Duration.seconds(30)

    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The fate of the next request.
    mutating func fate(under conditions: NetworkConditions) -> RequestFate {
        switch conditions.link {
        case .open: return openFate(conditions)
        case .offline: return failed(.unreachable, after: .milliseconds(5))
        case .portal: return failed(.foreign, after: delay(conditions))
        case .silent: return failed(.silence, after: .zero)
        }
    }

    private mutating func openFate(_ conditions: NetworkConditions) -> RequestFate {
        let there = delay(conditions)
        let back = delay(conditions)
        if draws(conditions.lostRequests) { return failed(.timedOut, after: Self.deadline) }
        if draws(conditions.refusals) { return failed(refusal(), after: there + back) }
        var fate = RequestFate(arrivals: [there], answerDelay: back, failure: nil)
        if draws(conditions.duplicates) {
            fate.arrivals.append(there + .milliseconds(random.next(below: 20_000)))
        }
        if draws(conditions.lateRequests) {
            let late = Self.deadline + .milliseconds(random.next(below: 60_000))
            fate.arrivals = [late]
            fate.failure = (.timedOut, Self.deadline)
        } else if draws(conditions.lostAnswers) {
            fate.failure = (.timedOut, Self.deadline)
        } else if draws(conditions.garbage) {
            fate.failure = (random.next(below: 2) == 0 ? .invalid : .foreign, there + back)
        } else if draws(conditions.distortions) {
            fate.distortion = random.next(below: 1 << 16)
        }
        return fate
    }

    private mutating func refusal() -> RequestFate.Failure {
        switch random.next(below: 3) {
        case 0: .refused(status: 502, retryAfter: nil)
        case 1: .refused(status: 503, retryAfter: .seconds(random.next(below: 20)))
        default: .refused(status: 429, retryAfter: .seconds(1 + random.next(below: 60)))
        }
    }

    private func failed(_ kind: RequestFate.Failure, after time: Duration) -> RequestFate {
        RequestFate(arrivals: [], answerDelay: .zero, failure: (kind, time))
    }

    private mutating func delay(_ conditions: NetworkConditions) -> Duration {
        let (least, most) = (conditions.latency.lowerBound, conditions.latency.upperBound)
        let span = most - least
        let milliseconds =
            Int(clamping: span.components.seconds) * 1_000
            + Int(span.components.attoseconds / 1_000_000_000_000_000)
        guard milliseconds > 0 else { return least }
        return least + .milliseconds(random.next(below: milliseconds + 1))
    }

    private mutating func draws(_ share: Double) -> Bool {
        share > 0 && Double(random.next() >> 11) * 0x1p-53 < share
    }
}
