extension Finding {
    static func witness(_ name: String) -> Finding {
        Finding(
            file: name,
            offset: 0,
            kind: .witness,
            detail: "The note of where the journal ended is damaged."
        )
    }

    static func retired(copy: Int) -> Finding {
        Finding(
            file: StoreDirectory.retiredName,
            offset: 0,
            kind: .witness,
            detail: "Copy \(copy + 1) of the list of retired segments is damaged."
        )
    }

    static func identity(copy: Int) -> Finding {
        Finding(
            file: StoreDirectory.identityName,
            offset: UInt64(copy * DoubledRecord.stride),
            kind: .identity,
            detail: "A copy of the store's identity is damaged."
        )
    }

    static func missingSegments(_ numbers: ClosedRange<UInt32>) -> Finding {
        let (first, last) = (numbers.lowerBound, numbers.upperBound)
        return Finding(
            file: StoreDirectory.segmentName(first),
            offset: 0,
            kind: .segment,
            detail: first == last
                ? "Segment \(first) is missing." : "Segments \(first) to \(last) are missing."
        )
    }

    static func blankSegment(_ number: UInt32) -> Finding {
        Finding(
            file: StoreDirectory.segmentName(number),
            offset: 0,
            kind: .segment,
            detail: "The file of segment \(number) is there and blank: what it held is gone."
        )
    }

    static func misplaced(_ name: String, _ header: SegmentHeader) -> Finding {
        Finding(
            file: name,
            offset: 32,
            kind: .segment,
            detail: "The file is segment \(header.number) of store \(header.store)."
        )
    }

    static func header(_ name: String, copy: Int?) -> Finding {
        Finding(
            file: name,
            offset: UInt64((copy ?? 0) * DoubledRecord.stride),
            kind: .header,
            detail: copy == nil
                ? "Both copies of the segment's header are damaged."
                : "One copy of the segment's header is damaged; the other one serves."
        )
    }

    static func frame(_ name: String, _ position: SegmentScanner.Position) -> Finding {
        Finding(
            file: name,
            offset: position.offset,
            kind: .frame,
            detail: "The frame behind commit \(position.number) is damaged."
        )
    }

    static func missingCommits(
        _ name: String,
        _ first: SequenceNumber,
        _ end: SequenceNumber,
        at offset: UInt64
    ) -> Finding {
        Finding(
            file: name,
            offset: offset,
            kind: .missing,
            detail: "Commits \(first) to \(end.rawValue &- 1) are missing."
        )
    }

    static func entry(_ name: String, _ frame: FrameHeader, at offset: UInt64) -> Finding {
        Finding(
            file: name,
            offset: offset,
            kind: .entry,
            detail: frame.kind == .moves
                ? "An entry that compaction has moved is damaged."
                : "An entry of commit \(frame.number) is damaged."
        )
    }

    static func unreadable(_ name: String, _ error: StorageError, at offset: UInt64) -> Finding {
        Finding(
            file: name,
            offset: offset,
            kind: .unreadable,
            detail: "It cannot be read: \(error.cause ?? error)."
        )
    }

    static func record(_ error: StorageError) -> Finding {
        let name = error.path?.split(separator: "/").last.map(String.init)
        return Finding(
            file: name ?? noFile,
            offset: error.offset ?? 0,
            kind: .record,
            detail: "A record cannot be read back: \(error.message)"
        )
    }

    static func count(_ counted: Int, of what: String, found: Int) -> Finding {
        Finding(
            file: noFile,
            offset: 0,
            kind: .count,
            detail: "\(counted) \(what) are counted, and \(found) are there."
        )
    }

    static func checkpoint(_ detail: String, at offset: UInt64) -> Finding {
        Finding(
            file: StoreDirectory.checkpointName,
            offset: offset,
            kind: .checkpoint,
            detail: detail + " No data is lost: what it holds is read from the journal."
        )
    }

    static let versions = Finding(
        file: noFile,
        offset: 0,
        kind: .record,
        detail: "The records are not those that the journal gives."
    )

    static func usage(_ segment: UInt32, counted: UInt64, found: UInt64) -> Finding {
        Finding(
            file: StoreDirectory.segmentName(segment),
            offset: 0,
            kind: .count,
            detail: "\(counted) bytes of the segment are counted as live, and \(found) are."
        )
    }

    static func tree(_ what: String, _ defect: TreeDefect) -> Finding {
        Finding(
            file: noFile,
            offset: 0,
            kind: .index,
            detail: "The tree of \(what) is not in order: \(defect)."
        )
    }

    static func index(missing: Int, extra: Int) -> Finding {
        Finding(
            file: noFile,
            offset: 0,
            kind: .index,
            detail: "An index lacks \(missing) entries of its records, and has \(extra) that no"
                + " record gives."
        )
    }
}
