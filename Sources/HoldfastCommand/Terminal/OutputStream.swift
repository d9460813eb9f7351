import HoldfastStorage

/// Bytes on their way to a descriptor: collected, then written with one call.
final class OutputStream {
    private let descriptor: Descriptor
    private var bytes: [UInt8] = []
    /// Enough for a call's cost to vanish, and little enough for a pipe's reader to keep up.
    private static let writeSize = 1 << 16

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Adds text; it is not written yet.
    func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Adds bytes; they are not written yet.
    func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Lets `body` add bytes at the end; they are not written yet.
    func append(_ body: (inout [UInt8]) throws -> Void) rethrows { try body(&bytes) }

    /// Writes what was added, once there is enough of it.
    func flushIfLarge() throws(Failure) {
        if bytes.count >= Self.writeSize { try flush() }
    }

    /// Writes what was added, with one call.
    ///
    /// - Throws: ``Failure`` when the reader has closed its end; what was added is dropped.
    func flush() throws(Failure) {
        if bytes.isEmpty { return }
        defer { bytes.removeAll(keepingCapacity: true) }
        do {
            try descriptor.write(bytes.span)
        } catch {
            let closed = error.errno == .brokenPipe
            throw Failure(
                closed ? "the reader of standard output closed it; stopped there" : "\(error)"
            )
        }
    }
}
