#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why a value cannot be stored; whoever knows the coding path makes an `EncodingError` of it.
struct NotStorable: Error {
    let value: any Sendable
    let message: String
}

extension ValueEncoder {
    func writeNil() { unsafe state.pointee.writer.buffer.append(DocumentTag.null) }

    @inline(__always)
    func write(_ value: Bool) { unsafe state.pointee.writer.append(value) }

    @inline(__always)
    func write(_ value: String) { unsafe state.pointee.writer.append(text: value) }

    @inline(__always)
    func write(_ value: some FixedWidthInteger & Sendable) throws(NotStorable) {
        guard let integer = Int64(exactly: value) else {
            throw NotStorable(value: value, message: "An integer is outside 64 bits.")
        }
        unsafe state.pointee.writer.append(integer)
    }

    @inline(__always)
    func write(_ value: Double) throws(NotStorable) {
        guard value.isFinite else {
            throw NotStorable(value: value, message: "A number is infinite or not a number.")
        }
        unsafe state.pointee.writer.append(finite: value)
    }

    /// Writes the double that people would write for the float, where it reads back as the same.
    func write(_ value: Float) throws(NotStorable) {
        let shortest = Double(value.description).flatMap { Float($0) == value ? $0 : nil }
        try write(shortest ?? Double(value))
    }

    func write(_ value: Date) throws(NotStorable) {
        guard let time = Timestamp(value) else {
            throw NotStorable(value: value, message: "A date is outside the years 0 to 9999.")
        }
        if let packed = PackedText(time, fractionDigits: 9) {
            unsafe state.pointee.writer.append(packed)
        } else {
            write(time.text)
        }
    }

    func write(_ value: UUID) { unsafe state.pointee.writer.append(.uuid(PackedUUID(value))) }

    func write(_ id: RecordID) {
        if let uuid = id.uuid {
            unsafe state.pointee.writer.append(.uuid(uuid))
        } else {
            write(id.text)
        }
    }

    func write(_ value: JSONValue) throws(NotStorable) {
        do {
            try unsafe state.pointee.writer.append(value)
        } catch {
            throw NotStorable(value: value, message: error.message)
        }
    }
}
