/// A file of a simulated disk: what programs read, what the medium has, and what lies between.
struct SimulatedContents: Sendable {
    /// A change that no sync has made durable.
    enum Pending: Sendable {
        case write(offset: Int, bytes: [UInt8])
        case resize(to: Int)
    }

    /// The page cache: what reads see.
    private(set) var cache = PagedBytes()
    /// What the medium is sure to have.
    private(set) var durable = PagedBytes()
    /// What happened since, in order.
    private(set) var pending: [Pending] = []
    /// A sync failed: the cache shows, as clean, what the medium never got.
    private var isDiverged = false
    /// A sync succeeded that should have failed; the next one tells.
    private var hasLateFailure = false

    init() {}

    /// Whether the medium has all that programs see.
    var isClean: Bool { pending.isEmpty && !isDiverged }

    /// A file as it is after a power loss, or after damage: cache and medium agree.
    init(durable bytes: PagedBytes) {
        cache = bytes
        durable = bytes
    }

    mutating func write(_ bytes: [UInt8], at offset: Int) {
        cache.write(bytes[...], at: offset)
        pending.append(.write(offset: offset, bytes: bytes))
    }

    mutating func resize(to size: Int) {
        guard size != cache.count else { return }
        cache.resize(to: size)
        pending.append(.resize(to: size))
    }

    mutating func allocate(upTo size: Int) {
        let extends = size > cache.count
        cache.allocate(upTo: size)
        if extends { pending.append(.resize(to: size)) }
    }

    /// - Returns: Whether it may say that it succeeded.
    mutating func sync() -> Bool {
        if hasLateFailure {
            hasLateFailure = false
            failSync(.pagesKept)
            return false
        }
        if isDiverged {
            for change in pending { durable.apply(change) }
        } else {
            durable = cache
        }
        pending = []
        return true
    }

    /// - Returns: Whether it says that it succeeded all the same.
    @discardableResult
    mutating func failSync(_ model: FailedSync) -> Bool {
        switch model {
        case .pagesKept:
            isDiverged = true
        case .pagesReverted:
            let size = cache.count
            cache = durable
            pending = []
            isDiverged = false
            resize(to: size)
            return false
        case .partlyWritten:
            for change in pending { durable.apply(change.evenSectors) }
            isDiverged = true
        case .reportedLate:
            isDiverged = true
            hasLateFailure = true
        }
        pending = []
        return model == .reportedLate
    }
}

extension SimulatedContents.Pending {
    /// The half of a write that a sync finished before it failed.
    fileprivate var evenSectors: [SimulatedContents.Pending] {
        guard case .write(let offset, let bytes) = self else { return [self] }
        return Sectors(of: offset..<offset + bytes.count).filter { $0.index % 2 == 0 }.map { part in
            let first = part.range.lowerBound - offset
            return .write(
                offset: part.range.lowerBound,
                bytes: Array(bytes[first..<first + part.range.count])
            )
        }
    }
}

extension PagedBytes {
    fileprivate mutating func apply(_ changes: [SimulatedContents.Pending]) {
        for change in changes { apply(change) }
    }

    fileprivate mutating func apply(_ change: SimulatedContents.Pending) {
        switch change {
        case .write(let offset, let bytes): write(bytes[...], at: offset)
        case .resize(let size): resize(to: size)
        }
    }
}

/// The parts of a byte range that lie in one sector each.
struct Sectors: Sequence, IteratorProtocol {
    private var rest: Range<Int>

    init(of range: Range<Int>) { rest = range }

    mutating func next() -> (index: Int, range: Range<Int>)? {
        guard !rest.isEmpty else { return nil }
        let index = rest.lowerBound / PagedBytes.sectorSize
        let end = Swift.min(rest.upperBound, (index + 1) * PagedBytes.sectorSize)
        defer { rest = end..<rest.upperBound }
        return (index, rest.lowerBound..<end)
    }
}
