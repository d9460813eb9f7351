import HoldfastStorage
import Synchronization

/// A file whose reads and writes go as a script says: `.limit(n)` moves at most `n` bytes, `.fail`
/// fails; a script that is used up moves everything.
final class ScriptedFile: File {
    enum Step: Sendable {
        case limit(Int)
        case fail(SystemErrorNumber)
    }

    let path = "scripted"
    private let state: Mutex<(script: [Step], contents: [UInt8], calls: Int)>

    init(_ script: [Step], contents: [UInt8] = []) {
        state = Mutex((script, contents, 0))
    }

    var contents: [UInt8] { state.withLock { $0.contents } }
    var calls: Int { state.withLock { $0.calls } }

    func readOnce(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int {
        let limit = try nextLimit("pread")
        let contents = contents
        let start = min(Int(offset), contents.count)
        let count = min(limit, buffer.count, contents.count - start)
        for index in 0..<count { unsafe buffer[index] = contents[start + index] }
        return count
    }

    func writeOnce(_ bytes: RawSpan, at offset: UInt64) throws(SystemCallError) -> Int {
        let count = min(try nextLimit("pwrite"), bytes.byteCount)
        let copied = unsafe bytes.withUnsafeBytes { unsafe Array($0.prefix(count)) }
        state.withLock { state in
            let missing = Int(offset) + count - state.contents.count
            state.contents += [UInt8](repeating: 0, count: max(0, missing))
            state.contents.replaceSubrange(Int(offset)..<Int(offset) + count, with: copied)
        }
        return count
    }

    private func nextLimit(_ call: String) throws(SystemCallError) -> Int {
        let step = state.withLock { state -> Step in
            state.calls += 1
            return state.script.isEmpty ? .limit(.max) : state.script.removeFirst()
        }
        switch step {
        case .limit(let count): return count
        case .fail(let number): throw SystemCallError(call: call, path: path, errno: number)
        }
    }

    func size() -> UInt64 { UInt64(contents.count) }
    func setSize(_ size: UInt64) {}
    func allocate(upTo size: UInt64) {}
    func sync() {}
    func barrier() {}
    func tryLock(_ kind: FileLock) -> Bool { true }
    func unlock() {}
    func close() {}
}
