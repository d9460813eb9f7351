#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The value of an environment variable; `nil` when it is not set or empty.
func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
}

/// The path of this very program.
func ownExecutable() -> String? {
    #if canImport(Darwin)
    var size = UInt32(4_096)
    var path = [CChar](repeating: 0, count: Int(size))
    guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return nil }
    #else
    var path = [CChar](repeating: 0, count: 4_097)
    guard unsafe readlink("/proc/self/exe", &path, 4_096) > 0 else { return nil }
    #endif
    let bytes = path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return String(decoding: bytes, as: UTF8.self)
}

/// How many processors there are to share work among.
func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

/// The arguments of this process behind its name; `nil` when one is not UTF-8, which would
/// otherwise be changed in silence.
func commandLineArguments() -> [String]? {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
        guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
        guard let text = unsafe String(validatingCString: pointer) else { return nil }
        arguments.append(text)
    }
    return arguments
}

/// The resident memory of this process in bytes; `nil` where the system does not say.
func residentMemory() -> Int? { residentMemory(ofProcess: "self") }

/// The resident memory of a child in bytes; `nil` where the system does not say.
func residentMemory(of child: ChildProcess) -> Int? {
    residentMemory(ofProcess: "\(child.number)")
}

private func residentMemory(ofProcess name: String) -> Int? {
    guard let file = try? Descriptor(reading: "/proc/\(name)/statm"),
        let bytes = try? file.read(atMost: 256)
    else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
