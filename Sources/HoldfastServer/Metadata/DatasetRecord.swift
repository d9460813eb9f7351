import Holdfast
import HoldfastSync

/// What is known of a dataset.
struct DatasetRecord: Hashable, Sendable {
    var dataset: DatasetID
    var epoch: EpochID
    /// The newest version of the history before that the epoch goes on from.
    var epochStart = RecordVersion(0)
    /// The newest version.
    var head = RecordVersion(0)
    /// The newest version of a tombstone that was purged.
    var floor = RecordVersion(0)

    /// The versions that were left out when an epoch began: a lost history may have given them.
    var gaps: [ClosedRange<Int64>] = []

    /// Whether a version was given in the history that stands here.
    func knows(_ version: RecordVersion) -> Bool {
        version <= head && !gaps.contains { $0.contains(version.number) }
    }

    init(dataset: DatasetID, epoch: EpochID) {
        self.dataset = dataset
        self.epoch = epoch
    }

    init(_ bytes: [UInt8]) throws {
        var reader = MetadataReader(bytes)
        dataset = DatasetID(try reader.text())
        epoch = EpochID(try reader.text())
        epochStart = try reader.version()
        head = try reader.version()
        floor = try reader.version()
        for _ in 0..<(try reader.number()) {
            let (first, last) = (try reader.number(), try reader.number())
            guard first <= last else { throw MetadataReader.damage }
            gaps.append(first...last)
        }
    }

    var bytes: [UInt8] {
        var writer = MetadataWriter(reserving: 112)
        writer.append(dataset.text)
        writer.append(epoch.text)
        writer.append(epochStart.number)
        writer.append(head.number)
        writer.append(floor.number)
        writer.append(Int64(gaps.count))
        for gap in gaps {
            writer.append(gap.lowerBound)
            writer.append(gap.upperBound)
        }
        return writer.bytes
    }
}
