import FuzzTargets

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The target that the environment names.
private let target: FuzzTarget = {
    let name = environment("FUZZ_TARGET") ?? ""
    guard case .success(let found?) = wait({ try await FuzzTarget.named(name) }) else {
        fail("FUZZ_TARGET has to be one of \(FuzzTarget.names.joined(separator: ", "))")
    }
    return found
}()

/// Called by libFuzzer, whose `main` it is, before anything else: where `FUZZ_SEEDS` names a
/// directory, writes the inputs to begin with into it, and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ argumentCount: UnsafeMutableRawPointer?,
    _ arguments: UnsafeMutableRawPointer?
) -> Int32 {
    guard let directory = environment("FUZZ_SEEDS") else { return 0 }
    for (index, seed) in target.seeds.enumerated() {
        guard let file = fopen("\(directory)/seed-\(index)", "wb") else {
            fail("cannot write to \(directory)")
        }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
    }
    exit(0)
}

/// Called by libFuzzer with one input after the other.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let target = target
    if case .failure(let error) = wait({ try await target.run(bytes) }) { fail("\(error)") }
    return 0
}

private func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

private func fail(_ message: String) -> Never {
    let line = Array("fuzz: \(message)\n".utf8)
    _ = write(2, line, line.count)
    abort()
}
