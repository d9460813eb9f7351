/// What a checkpoint says of one segment on the disk.
package struct SegmentSummary: Hashable, Sendable {
    /// Removals in a segment whose keys may have older versions in a range of segments.
    package struct Tombstones: Hashable, Sendable {
        package var older: ClosedRange<UInt32>
        /// The bytes of their entries.
        package var bytes: UInt64

        package init(older: ClosedRange<UInt32>, bytes: UInt64) {
            self.older = older
            self.bytes = bytes
        }
    }

    package var number: UInt32
    /// The number of the first transaction in it.
    package var first: SequenceNumber
    /// Where its live frames end, up to the checkpoint's position.
    package var length: UInt64
    /// The bytes of the entries that are their keys' current versions.
    package var liveBytes: UInt64 = 0
    package var tombstones: [Tombstones] = []

    package init(
        number: UInt32,
        first: SequenceNumber,
        length: UInt64,
        liveBytes: UInt64 = 0,
        tombstones: [Tombstones] = []
    ) {
        self.number = number
        self.first = first
        self.length = length
        self.liveBytes = liveBytes
        self.tombstones = tombstones
    }
}

extension SegmentSummary {
    func append(to buffer: inout ByteBuffer) {
        buffer.append(number)
        buffer.append(UInt32(tombstones.count))
        buffer.append(first.rawValue)
        buffer.append(length)
        buffer.append(liveBytes)
        for tombstone in tombstones {
            buffer.append(tombstone.older.lowerBound)
            buffer.append(tombstone.older.upperBound)
            buffer.append(tombstone.bytes)
        }
    }

    init?(_ reader: inout RecordReader) {
        guard let number: UInt32 = reader.next(), number > 0,
            let count: UInt32 = reader.next(),
            let first: UInt64 = reader.next(), first > 0,
            let length: UInt64 = reader.next(), length >= SegmentHeader.firstFrame,
            let liveBytes: UInt64 = reader.next(), liveBytes <= length, length < 1 << 32
        else { return nil }
        self.init(
            number: number,
            first: SequenceNumber(first),
            length: length,
            liveBytes: liveBytes
        )
        for _ in 0..<count {
            guard let lowest: UInt32 = reader.next(), let highest: UInt32 = reader.next(),
                lowest > 0, lowest <= highest, let bytes: UInt64 = reader.next(), bytes <= length
            else { return nil }
            tombstones.append(Tombstones(older: lowest...highest, bytes: bytes))
        }
    }
}
