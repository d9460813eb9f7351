extension File {
    /// Writes all of `bytes` at `offset`: a short write is continued, an interrupted one retried.
    ///
    /// - Throws: ``SystemCallError``; any part of the range may have been written. A write of zero
    ///   bytes is an error, since a loop over it would never end.
    public func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemCallError) {
        var written = 0
        while written < bytes.byteCount {
            let rest = bytes.extracting(written..<bytes.byteCount)
            let count = try retryingOnInterrupt { () throws(SystemCallError) in
                try writeOnce(rest, at: offset + UInt64(written))
            }
            guard count > 0 else {
                throw SystemCallError(call: "pwrite", path: path, errno: .inputOutput)
            }
            written += count
        }
    }

    /// Reads until `buffer` is full or the file ends.
    ///
    /// - Returns: The bytes read; fewer than the buffer holds only at the end of the file.
    @unsafe
    public func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try retryingOnInterrupt { () throws(SystemCallError) in
                try unsafe readOnce(into: rest, at: offset + UInt64(filled))
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The bytes of a range, fewer where the file ends before it does.
    public func read(count: Int, at offset: UInt64) throws(SystemCallError) -> [UInt8] {
        // The initializer only rethrows untyped errors: the outcome is carried around it.
        var outcome = Result<Int, SystemCallError>.success(0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(SystemCallError) {
                initialized = try unsafe read(
                    into: UnsafeMutableRawBufferPointer(buffer),
                    at: offset
                )
            } catch {
                outcome = .failure(error)
            }
        }
        _ = try outcome.get()
        return bytes
    }
}

/// Runs a system call again as long as a signal interrupts it.
func retryingOnInterrupt<Result>(
    _ call: () throws(SystemCallError) -> Result
) throws(SystemCallError) -> Result {
    while true {
        do {
            return try call()
        } catch  where error.errno == .interrupted {
            continue
        }
    }
}
