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
    ///   format, or its files cannot be read; `CancellationError`; or what `progress` throws, to
    ///   stop early.
    public static func verify(
        at path: String,
        configuration: JournalConfiguration = JournalConfiguration(),
        progress: (MaintenanceProgress) throws -> Void = { _ in }
    ) throws -> VerificationReport {
        let inspector = try JournalInspector(at: path, configuration: configuration)
        var walk = try inspector.walk()
        var report = VerificationReport()
        var state = MaintenanceProgress(total: try walk.byteCount())
        var (before, place) = (UInt64(0), UInt64(0))
        let visit: JournalInspector.Visitor = { event, payload in
            switch event {
            case .segment:
                report.segments += 1
                (before, place) = (before + place, 0)
            case .damage(let finding): report.findings.append(finding)
            case .tornTail: report.hasTornTail = true
            case .frame(let segment, let offset, let header):
                report.add(header, payload, segment: segment, offset: offset)
                place = offset + UInt64(header.frameLength)
                guard report.frames & 0xff == 0 else { return }
                try Task.checkCancellation()
                state.completed = before + place
                try progress(state)
            default: break
            }
        }
        while try walk.visitNext(visit) {}
        if let store = walk.store {
            let checkpoint = try CheckpointVerification.run(walk.directory, store: store)
            report.checkpoint = checkpoint.number
            report.findings += checkpoint.findings
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
        let found = header.entries(in: payload)
        entries += found.intact
        guard let damaged = found.damaged else { return }
        let name = StoreDirectory.segmentName(segment)
        findings.append(.entry(name, header, at: offset + UInt64(damaged)))
    }
}
