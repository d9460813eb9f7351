import Synchronization

/// A payload that is too large to be packed into a node: one counted block, shared by the nodes of
/// every snapshot that hold it.
@safe struct LargePayload {
    /// Payloads above this stand outside their node, so that a node stays small enough to copy.
    static let threshold = 1_024

    private struct Header: ~Copyable {
        let references = Atomic<Int>(1)
        let count: Int
    }

    let address: UnsafeMutableRawPointer

    init(address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

    init(copying payload: BytesView) {
        unsafe address = UnsafeMutableRawPointer.allocate(
            byteCount: Self.headerBytes + payload.count,
            alignment: 16
        )
        unsafe header.initialize(to: Header(count: payload.count))
        unsafe payload.copy(to: address + Self.headerBytes)
    }

    private static var headerBytes: Int { MemoryLayout<Header>.size }

    private var header: UnsafeMutablePointer<Header> {
        unsafe address.assumingMemoryBound(to: Header.self)
    }

    var view: BytesView {
        unsafe BytesView(start: address + Self.headerBytes, count: header.pointee.count)
    }

    var memoryBytes: Int { unsafe Self.headerBytes + header.pointee.count }

    func retain() { unsafe header.pointee.references.add(1, ordering: .relaxed) }

    func release() {
        let left = unsafe header.pointee.references.subtract(1, ordering: .acquiringAndReleasing)
        guard left.newValue == 0 else { return }
        unsafe address.deallocate()
    }
}
