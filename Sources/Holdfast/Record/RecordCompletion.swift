/// What a stored record lacks and its type asks for, taken from the type's default instance.
///
/// The default instance is made and written when the first missing field is asked for, once for the
/// record that is read, and stands behind the record in the same memory: whoever reads finds it by
/// an offset, as all else.
@safe
struct RecordCompletion {
    private let type: any Record.Type
    private var memory: UnsafeMutableRawBufferPointer?
    private var isTried = false

    init(of type: any Record.Type) {
        self.type = type
        unsafe memory = nil
    }

    /// Whether a field of the record holds its id: another id would make it another record.
    func isID(_ name: String) -> Bool { UTF8Order.same(name, type.idField) }

    /// The record with the default instance behind it; `nil` from the second call on, and where the
    /// default instance cannot be written: then there is nothing to take.
    ///
    /// It is valid until ``free()``.
    mutating func extend(_ record: ByteView) -> ByteView? {
        if isTried { return nil }
        isTried = true
        guard let defaults = type.defaultDocument else { return nil }
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: record.count + defaults.count,
            alignment: 1
        )
        unsafe self.memory = memory
        if let start = memory.baseAddress {
            unsafe record.copy(to: start)
            defaults.withByteView { unsafe $0.copy(to: start + record.count) }
        }
        return unsafe ByteView(UnsafeRawBufferPointer(memory))
    }

    /// Gives the memory back.
    func free() { unsafe memory?.deallocate() }
}

extension Record {
    /// The default instance as it is stored; `nil` where it cannot be.
    fileprivate static var defaultDocument: [UInt8]? {
        (try? DocumentEncoder.encode(Self()))?.bytes
    }
}
