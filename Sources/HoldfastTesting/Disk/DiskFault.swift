public import HoldfastStorage

/// A failure that a simulated disk is told to show.
///
/// ```swift
/// disk.inject(DiskFault(.error(.noSpace), on: [.write], after: 3))
/// disk.inject(DiskFault(.failedSync(.pagesKept), on: [.sync], times: nil))
/// ```
public struct DiskFault: Hashable, Sendable {
    /// What happens to a call that the fault meets.
    public enum Effect: Hashable, Sendable {
        /// It fails, and nothing of it is done.
        case error(SystemErrorNumber)
        /// A write or read moves at most this many bytes; zero is allowed. Other calls pass.
        case short(Int)
        /// A file's sync fails with `EIO` and leaves what the model says. Other calls pass.
        case failedSync(FailedSync)
    }

    /// What happens.
    public var effect: Effect
    /// The calls that it can meet.
    public var kinds: Set<DiskCall.Kind>
    /// The end that the call's path must have.
    public var pathSuffix: String
    /// The bytes that a read or write must touch; `nil` for any call.
    public var range: Range<UInt64>?
    /// How many calls that it could meet pass unharmed first.
    public var skipped: Int
    /// How many calls it meets after that; `nil` for all.
    public var times: Int?

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - effect: What happens.
    ///   - kinds: The calls that it can meet; all by default.
    ///   - pathSuffix: The end that the call's path must have.
    ///   - range: The bytes that a read or write must touch.
    ///   - skipped: How many such calls pass unharmed first.
    ///   - times: How many it meets after that; `nil` for all.
    public init(
        _ effect: Effect,
        on kinds: Set<DiskCall.Kind> = Set(DiskCall.Kind.allCases),
        pathSuffix: String = "",
        range: Range<UInt64>? = nil,
        after skipped: Int = 0,
        times: Int? = 1
    ) {
        self.effect = effect
        self.kinds = kinds
        self.pathSuffix = pathSuffix
        self.range = range
        self.skipped = skipped
        self.times = times
    }

    /// Whether it is used up.
    var isSpent: Bool { times == 0 }

    /// - Returns: Whether it meets this call; counts it if so.
    mutating func meets(_ call: DiskCall) -> Bool {
        guard !isSpent, call.kind != .close, kinds.contains(call.kind) else { return false }
        guard pathSuffix.isEmpty || call.path.hasSuffix(pathSuffix) else { return false }
        if let range {
            let touched = call.offset..<call.offset + UInt64(call.count)
            guard range.overlaps(touched) else { return false }
        }
        guard skipped == 0 else {
            skipped -= 1
            return false
        }
        times = times.map { $0 - 1 }
        return true
    }
}

extension DiskFault: CustomStringConvertible {
    /// Such as `short(0) on pwrite after 3, once`.
    public var description: String {
        let calls =
            kinds.count == DiskCall.Kind.allCases.count
            ? "any call" : kinds.map(\.rawValue).sorted().joined(separator: ", ")
        let count = times.map { "\($0) times" } ?? "for ever"
        return "\(effect) on \(calls) after \(skipped), \(count)"
    }
}
