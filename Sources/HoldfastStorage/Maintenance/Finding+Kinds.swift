extension Finding {
    static func witness(_ name: String) -> Finding {
        Finding(
            file: name,
            offset: 0,
            kind: .witness,
            detail: "The note of where the journal ended is damaged."
        )
    }

    static func missingSegment(_ number: UInt32) -> Finding {
        Finding(
            file: StoreDirectory.segmentName(number),
            offset: 0,
            kind: .segment,
            detail: "Segment \(number) is missing."
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
}

extension StoreDirectory {
    /// Each copy of the identity that is not right.
    func identityFindings() throws(StorageError) -> [Finding] {
        try readIdentity().damagedCopies.map { copy in
            Finding(
                file: Self.identityName,
                offset: UInt64(copy * DoubledRecord.stride),
                kind: .identity,
                detail: "A copy of the store's identity is damaged."
            )
        }
    }

    /// The identity, as far as it can be read.
    func readIdentity() throws(StorageError) -> (store: StoreID?, damagedCopies: [Int]) {
        let bytes = try describing("Opening the store") { () throws(SystemCallError) in
            try read(Self.identityName, limit: DoubledRecord.byteCount)
        }
        let path = path(Self.identityName)
        var store: StoreID?
        var damaged: [Int] = []
        for copy in 0...1 {
            let start = min(copy * DoubledRecord.stride, bytes.count)
            let rest = Array(bytes[start...])
            if let found = try unsafe StoreIdentity.parse(copy: rest.span.bytes, path: path) {
                store = store ?? found
            } else {
                damaged.append(copy)
            }
        }
        return (store, damaged)
    }
}
