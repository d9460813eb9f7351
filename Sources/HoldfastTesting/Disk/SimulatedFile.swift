import HoldfastStorage

/// An open file of a ``SimulatedDisk``.
final class SimulatedFile: File {
    let path: String
    private let disk: SimulatedDisk
    private let handle: Int

    init(disk: SimulatedDisk, path: String, handle: Int) {
        self.disk = disk
        self.path = path
        self.handle = handle
    }

    deinit { close() }

    func size() throws(SystemCallError) -> UInt64 {
        try perform(DiskCall(.status, path)) { session, inode, _ in
            UInt64(session.tree.files[inode]?.cache.count ?? 0)
        }
    }

    func readOnce(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int {
        let call = DiskCall(.read, path, offset: offset, count: buffer.count)
        let position = try position(offset, call)
        let wanted = buffer.count
        let (bytes, count) = try perform(call) { session, inode, effect in
            let bytes = session.tree.files[inode]?.cache ?? PagedBytes()
            let count = min(effect.limit(wanted), max(0, bytes.count - position))
            session.counters.bytesRead += count
            return (bytes, count)
        }
        guard count > 0 else { return 0 }
        return unsafe bytes.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]),
            at: position
        )
    }

    func writeOnce(_ bytes: RawSpan, at offset: UInt64) throws(SystemCallError) -> Int {
        let copy = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
        let call = DiskCall(.write, path, offset: offset, count: copy.count)
        let position = try position(offset, call)
        return try perform(call, writes: true) { session, inode, effect throws(SystemCallError) in
            let wanted = effect.limit(copy.count)
            let count = session.room(for: wanted, at: position, in: inode)
            guard count > 0 || wanted == 0 else { throw call.kind.error(call.path, .noSpace) }
            session.tree.files[inode]?.write(Array(copy[..<count]), at: position)
            session.counters.bytesWritten += count
            return count
        }
    }

    func setSize(_ size: UInt64) throws(SystemCallError) {
        let call = DiskCall(.setSize, path, offset: size)
        let size = try position(size, call)
        try perform(call, writes: true) { session, inode, _ in
            session.tree.files[inode]?.resize(to: size)
        }
    }

    func allocate(upTo size: UInt64) throws(SystemCallError) {
        let call = DiskCall(.allocate, path, offset: size)
        let size = try position(size, call)
        try perform(call, writes: true) { session, inode, _ throws(SystemCallError) in
            guard session.room(for: size, at: 0, in: inode) == size else {
                throw call.kind.error(call.path, .noSpace)
            }
            session.tree.files[inode]?.allocate(upTo: size)
        }
    }

    func sync() throws(SystemCallError) {
        let call = DiskCall(.sync, path)
        try perform(call) { session, inode, effect throws(SystemCallError) in
            let succeeds =
                if case .failedSync(let model) = effect {
                    session.tree.files[inode]?.failSync(model)
                } else {
                    session.tree.files[inode]?.sync()
                }
            guard succeeds == true else { throw call.kind.error(call.path, .inputOutput) }
        }
    }

    func barrier() throws(SystemCallError) {
        try perform(DiskCall(.barrier, path)) { _, _, _ in }
    }

    func tryLock(_ kind: FileLock) throws(SystemCallError) -> Bool {
        let handle = handle
        return try perform(DiskCall(.lock, path)) { session, _, _ in
            session.tryLock(handle, kind)
        }
    }

    func unlock() throws(SystemCallError) {
        let handle = handle
        try perform(DiskCall(.unlock, path)) { session, _, _ in
            session.openFiles[handle]?.lock = nil
        }
    }

    func close() {
        let handle = handle
        let isOpen = (try? disk.inspect { $0.openFiles[handle] != nil }) == true
        guard isOpen else { return }
        _ = try? disk.perform(DiskCall(.close, path)) { session, _ in session.closeFile(handle) }
    }
}

extension SimulatedFile {
    private func perform<Result: Sendable>(
        _ call: DiskCall,
        writes: Bool = false,
        _ body: (inout DiskSession, Int, DiskFault.Effect?) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        let handle = handle
        return try disk.perform(call) { session, effect throws(SystemCallError) in
            guard let file = session.openFiles[handle], !writes || file.isWritable else {
                throw call.kind.error(call.path, .badDescriptor)
            }
            return try body(&session, file.inode, effect)
        }
    }

    private func position(_ offset: UInt64, _ call: DiskCall) throws(SystemCallError) -> Int {
        guard let position = Int(exactly: offset), position <= Self.largestFile else {
            throw call.kind.error(path, .invalidArgument)
        }
        return position
    }

    /// As ext4 has it: 16 TiB.
    private static let largestFile = 1 << 44
}

extension DiskFault.Effect? {
    fileprivate func limit(_ count: Int) -> Int {
        if case .short(let limit) = self { min(limit, count) } else { count }
    }
}
