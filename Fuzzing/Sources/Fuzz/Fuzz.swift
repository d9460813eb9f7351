import Dispatch
import FuzzTargets
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The driver of libFuzzer, which calls back with one input after the other.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The target of this process.
private let target = Mutex<FuzzTarget?>(nil)

/// Runs asynchronous work to its end; the fuzzer knows no other.
private func wait<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
) -> Swift.Result<Result, any Error> {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    Task.detached {
        do {
            let value = try await body()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return result.withLock { $0 } ?? .failure(CancellationError())
}

private func fail(_ message: String) -> Never {
    fputs("fuzz: \(message)\n", stderr)
    abort()
}

private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let target = target.withLock({ $0 }) else { return 0 }
    if case .failure(let error) = wait({ try await target.run(bytes) }) { fail("\(error)") }
    return 0
}

/// Fuzzes the target that the first argument names.
///
/// The others are libFuzzer's, the first of them the directory that inputs are kept in. With
/// `--seeds DIRECTORY` it writes the inputs to begin with, and ends.
@main
enum Fuzz {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1,
            case .success(let found?) = wait({ try await FuzzTarget.named(arguments[1]) })
        else {
            fail("name a target: \(FuzzTarget.names.joined(separator: ", "))")
        }
        if arguments.count == 4, arguments[2] == "--seeds" {
            return write(found.seeds, to: arguments[3])
        }
        target.withLock { $0 = found }
        let rest = [arguments[0]] + arguments.dropFirst(2)
        let copies = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: rest.count + 1
        )
        for (index, argument) in rest.enumerated() { copies[index] = strdup(argument) }
        copies[rest.count] = nil
        var count = Int32(rest.count)
        var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = copies
        exit(runDriver(&count, &pointer, test))
    }

    private static func write(_ seeds: [[UInt8]], to directory: String) {
        for (index, seed) in seeds.enumerated() {
            guard let file = fopen("\(directory)/seed-\(index)", "wb") else {
                fail("cannot write to \(directory)")
            }
            fwrite(seed, 1, seed.count, file)
            fclose(file)
        }
    }
}
