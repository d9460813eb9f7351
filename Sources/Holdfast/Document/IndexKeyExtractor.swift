/// Derives the key of some fields from documents, without decoding these.
package struct IndexKeyExtractor: Sendable {
    private let fields: [[UInt8]]

    /// An extractor of the key of these fields, the most significant first.
    package init(fields: [String]) { self.fields = fields.map { Array($0.utf8) } }

    /// Calls `emit` with the document's key; a damaged document has none.
    ///
    /// - Complexity: O(n) in the number of the document's fields.
    package func extract(from document: RawSpan, _ emit: (RawSpan) -> Void) {
        var writer = IndexKeyWriter()
        guard document.withByteView({ append(fieldsOf: $0, to: &writer) }) else { return }
        writer.buffer.withByteView { $0.withRawSpan(emit) }
    }

    private func append(fieldsOf document: ByteView, to writer: inout IndexKeyWriter) -> Bool {
        do throws(DocumentError) {
            let start = try DocumentReader(document)
            for field in fields {
                var reader = start
                let isFound = try field.withByteView { (name) throws(DocumentError) in
                    try reader.find(name)
                }
                let isCut = isFound ? try writer.append(from: &reader) : writer.append(.null)
                if isCut { break }
            }
            return true
        } catch {
            return false
        }
    }
}
