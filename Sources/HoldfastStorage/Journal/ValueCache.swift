import Synchronization

/// The values that are asked for again and again, so that reading them needs no call to the system.
///
/// It is exact: a place in the journal holds one entry as long as its segment lives, and whatever
/// breaks that (a group that failed, a file that took another's name) begins a new *epoch*. A value
/// that was read in an older epoch is not taken. Its memory is bounded, and taken when first used;
/// readers on several threads meet only in one of its parts.
package final class ValueCache: Sendable {
    /// How much it holds, and how well it does.
    package struct Statistics: Hashable, Sendable {
        /// The bytes of memory that it may take.
        package var memoryBytes = 0
        /// The values that it holds.
        package var values = 0
        /// How often a value that was asked for was there.
        package var hits: UInt64 = 0
        /// How often it was not.
        package var misses: UInt64 = 0
    }

    private final class Part: Sendable {
        let ring: Mutex<ValueRing>

        init(bytes: Int) { ring = Mutex(ValueRing(bytes: bytes)) }
    }

    private let parts: [Part]
    private let epochNumber = Atomic<UInt64>(0)
    /// The greatest segment that a value was taken of.
    private let greatestSegment = Atomic<UInt32>(0)

    /// A cache of at most `bytes` of memory; `nil` where that is too little for any.
    package init?(bytes: Int) {
        guard bytes >= 1 << 12 else { return nil }
        let count = bytes >= 1 << 22 ? 16 : bytes >= 1 << 18 ? 4 : 1
        parts = (0..<count).map { _ in Part(bytes: bytes / count) }
    }

    /// Now; to be taken before a value is read.
    package var epoch: UInt64 { epochNumber.load(ordering: .sequentiallyConsistent) }

    /// What it holds and how well it does.
    package var statistics: Statistics {
        parts.reduce(into: Statistics()) { sum, part in
            part.ring.withLock { ring in
                sum.memoryBytes += ring.memoryBytes
                sum.values += ring.itemCount
                sum.hits += ring.counts.hits
                sum.misses += ring.counts.misses
            }
        }
    }

    private func part(of location: EntryLocation) -> Part {
        let mixed = (UInt64(location.offset) ^ location.number.rawValue << 7) &* 0x9E37_79B9
        return parts[Int(truncatingIfNeeded: mixed >> 24) & (parts.count - 1)]
    }

    /// The value that stands at a location, if it is here.
    package func value(at location: EntryLocation) -> [UInt8]? {
        part(of: location).ring.withLock { $0.withValue(at: location, \.bytes) }
    }

    /// Copies the value that stands at a location.
    ///
    /// - Returns: Its length; `nil` where it is not here.
    @unsafe
    func copyValue(
        at location: EntryLocation,
        to buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        // A number, since a pointer may not go where the lock's own value is.
        let (target, room) = (UInt(bitPattern: buffer.baseAddress), buffer.count)
        return part(of: location).ring.withLock {
            unsafe $0.copyValue(at: location, toAddress: target, room: room)
        }
    }

    /// Takes a value that was read in `epoch`, if it is one to keep.
    package func offer(_ value: RawSpan, at location: EntryLocation, epoch: UInt64) {
        part(of: location).ring.withLock { ring in
            guard ring.isWanted(location) else { return }
            insert(BytesView(value), at: location, epoch: epoch, into: &ring)
        }
    }

    /// Takes a value that was written in `epoch`.
    package func insert(_ value: RawSpan, at location: EntryLocation, epoch: UInt64) {
        part(of: location).ring.withLock { ring in
            insert(BytesView(value), at: location, epoch: epoch, into: &ring)
        }
    }

    private func insert(
        _ value: BytesView,
        at location: EntryLocation,
        epoch: UInt64,
        into ring: inout ValueRing
    ) {
        // Before the epoch is looked at: either whoever ends it sees the segment and waits for the
        // part, or this sees the new epoch.
        if greatestSegment.load(ordering: .sequentiallyConsistent) < location.segment {
            greatestSegment.max(location.segment, ordering: .sequentiallyConsistent)
        }
        guard self.epoch == epoch else { return }
        ring.insert(value, at: location)
    }

    /// Begins a new epoch: what stood in this segment and in later ones is forgotten.
    package func forget(from segment: UInt32) {
        epochNumber.add(1, ordering: .sequentiallyConsistent)
        guard greatestSegment.load(ordering: .sequentiallyConsistent) >= segment else { return }
        for part in parts { part.ring.withLock { $0.removeAll() } }
    }
}
