package import HoldfastStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A new directory for files that a command makes and removes again.
package struct TemporaryDirectory: Sendable {
    /// Its path.
    package let path: String

    /// Creates one in a directory, or where the system keeps temporary files (`TMPDIR`, else
    /// `/tmp`).
    package init(prefix: String, in parent: String? = nil) throws(SystemCallError) {
        let parent = parent ?? environmentVariable("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .last("mkdtemp", parent) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes it with everything in it.
    package func remove() {
        Self.remove(path)
    }

    /// Removes a file, or a directory with everything in it; what is not there is not an error.
    package static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        if unsafe rmdir(path) != 0 { _ = unsafe unlink(path) }
    }

    private static func names(in path: String) -> [String] {
        // A link is removed, never followed.
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        guard let stream = unsafe fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let start = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                return unsafe String(cString: start)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
