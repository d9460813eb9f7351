extension ValueDecoder {
    /// Where the field was that was found last.
    var lastEnd: Int { unsafe state.pointee.lastEnd }

    func resume(_ object: Range<Int>, _ end: Int) { unsafe state.pointee.remember(object, end) }

    @inline(__always)
    func find(_ name: String, in object: Range<Int>) throws -> Int? {
        recordAsked(name, in: object)
        return try unsafe state.pointee.find(name, in: object)
    }

    /// Where the value of a field is that an object lacks, in what completes the document.
    func complete(_ name: String, in object: Range<Int>) throws -> Int? {
        try unsafe state.pointee.complete(name, in: object, at: codingPath)
    }

    @inline(__always)
    func recordAsked(_ name: String, in object: Range<Int>) {
        guard unsafe state.pointee.fieldsAsked != nil else { return }
        unsafe state.pointee.fieldsAsked?.insert(name, ofObjectAt: object.lowerBound)
    }

    /// The names of an object's fields; those before the first damage.
    func names(in object: Range<Int>) -> [String] {
        var names: [String] = []
        var reader = unsafe state.pointee.reader(object)
        while reader.hasMore {
            guard let name = try? reader.text(at: reader.takeName()) else { break }
            guard (try? reader.skipValue()) != nil else { break }
            names.append(name)
        }
        return names
    }
}
