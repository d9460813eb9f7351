/// Checks a store's files without changing them.
public enum JournalVerifier {
    /// Reads and checks every frame and every entry of the store in a directory.
    ///
    /// Another process may write to the store meanwhile: what it has not finished is no damage, and
    /// segments that it starts while the check runs are left out.
    ///
    /// - Parameters:
    ///   - path: The store's directory.
    ///   - configuration: The environment.
    ///   - progress: Told the bytes read so far, from time to time.
    /// - Returns: What was found; damage is no error here.
    /// - Throws: ``StorageError`` when the store cannot be checked: there is none, it has a newer
    ///   format, or its files cannot be read; or what `progress` throws, to stop early.
    public static func verify(
        at path: String,
        configuration: JournalConfiguration = JournalConfiguration(),
        progress: (UInt64) throws -> Void = { _ in }
    ) throws -> VerificationReport {
        let inspector = try JournalInspector(at: path, configuration: configuration)
        var report = VerificationReport()
        try inspector.inspect { event, payload in
            switch event {
            case .segment: report.segments += 1
            case .damage(let finding): report.findings.append(finding)
            case .gap: break
            case .tornTail: report.hasTornTail = true
            case .frame(let segment, let offset, let header):
                report.add(header, payload, segment: segment, offset: offset)
                if report.frames & 0xff == 0 { try progress(report.bytes) }
            }
        }
        return report
    }
}

extension VerificationReport {
    fileprivate mutating func add(
        _ header: FrameHeader,
        _ payload: RawSpan,
        segment: UInt32,
        offset: UInt64
    ) {
        frames += 1
        bytes += UInt64(header.frameLength)
        last = max(last, header.number)
        var position = 0
        while position < payload.byteCount {
            let start = position
            guard let (entry, number) = FrameEntry.next(in: payload, at: &position, header),
                entry.isIntact(in: payload, number: number)
            else {
                findings.append(
                    Finding(
                        file: StoreDirectory.segmentName(segment),
                        offset: offset + UInt64(FrameHeader.byteCount + start),
                        kind: .entry,
                        detail: header.kind == .moves
                            ? "An entry that compaction has moved is damaged."
                            : "An entry of commit \(header.number) is damaged."
                    )
                )
                return
            }
            entries += 1
        }
    }
}
