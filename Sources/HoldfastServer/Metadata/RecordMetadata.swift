import Holdfast
import HoldfastSync

/// What is known of a record, beside what it holds: versions, its place, and who wrote it.
struct RecordMetadata: Hashable, Sendable {
    /// When a value came to be, and from whom.
    struct Stamp: Hashable, Sendable {
        var version: RecordVersion
        /// `nil` for what the server wrote itself.
        var author: ClientID?
    }

    /// That it left a scope.
    struct Departure: Hashable, Sendable {
        var version: RecordVersion
        var sequence: Int64
    }

    /// Its newest version.
    var version: RecordVersion
    var isTombstone = false
    /// The scope that it is in, or was in when it was deleted.
    var scope: ScopeName
    /// Its position in that scope's history.
    var sequence: Int64 = 0
    /// The last time that it was written whole, or deleted.
    var whole: Stamp
    /// The fields that were written since.
    var fields: [String: Stamp] = [:]
    /// The scopes that it has left, as far as their histories say so.
    var departures: [ScopeName: Departure] = [:]
    /// The form that it is in, or was in when it was deleted; 0 where nobody knows.
    var form = 0

    init(version: RecordVersion, scope: ScopeName, author: ClientID?) {
        self.version = version
        self.scope = scope
        whole = Stamp(version: version, author: author)
    }

    /// When a field came to have its value, or to be absent.
    func stamp(of field: String) -> Stamp { fields[field] ?? whole }

    /// As it is where the server's own steps have brought every record to a form.
    ///
    /// They did not say which fields they changed: each may be as new as the record.
    func stepped(to form: Int) -> RecordMetadata {
        guard self.form < form else { return self }
        var stepped = self
        stepped.form = form
        if form > 1, let newest = stamps.max(by: { $0.version < $1.version }) {
            stepped.whole = newest
            stepped.fields = [:]
        }
        return stepped
    }

    /// When its fields came to be as they are; the newest is that of the record.
    var stamps: [Stamp] { [whole] + fields.values }
}

extension RecordMetadata {
    init(_ bytes: [UInt8]) throws {
        var reader = MetadataReader(bytes)
        version = try reader.version()
        isTombstone = try reader.byte() == 1
        scope = ScopeName(try reader.text())
        sequence = try reader.number()
        var authors: [ClientID] = []
        for _ in 0..<(try reader.number()) { authors.append(ClientID(try reader.text())) }
        whole = try Stamp(&reader, authors)
        for _ in 0..<(try reader.number()) {
            let field = try reader.text()
            fields[field] = try Stamp(&reader, authors)
        }
        for _ in 0..<(try reader.number()) {
            let scope = ScopeName(try reader.text())
            departures[scope] = Departure(
                version: try reader.version(),
                sequence: try reader.number()
            )
        }
        if !reader.isAtEnd { form = Int(clamping: try reader.number()) }
    }

    var bytes: [UInt8] {
        var writer = MetadataWriter(reserving: 96)
        writer.append(version.number)
        writer.append(byte: isTombstone ? 1 : 0)
        writer.append(scope.text)
        writer.append(sequence)
        let authors = authors
        writer.append(Int64(authors.count))
        for author in authors { writer.append(author.text) }
        whole.append(to: &writer, authors)
        writer.append(Int64(fields.count))
        for (field, stamp) in fields.sorted(by: { UTF8Order.order($0.key, $1.key) == .before }) {
            writer.append(field)
            stamp.append(to: &writer, authors)
        }
        writer.append(Int64(departures.count))
        for (scope, departure) in departures.sorted(by: { $0.value.sequence < $1.value.sequence }) {
            writer.append(scope.text)
            writer.append(departure.version.number)
            writer.append(departure.sequence)
        }
        if form > 0 { writer.append(Int64(form)) }
        return writer.bytes
    }

    /// Everyone who wrote a value that still stands, each once.
    private var authors: [ClientID] {
        if fields.isEmpty { return whole.author.map { [$0] } ?? [] }
        let all = Set([whole.author].compactMap(\.self) + fields.values.compactMap(\.author))
        return all.sorted { $0.text < $1.text }
    }
}

extension RecordMetadata.Stamp {
    fileprivate init(_ reader: inout MetadataReader, _ authors: [ClientID]) throws {
        version = try reader.version()
        let place = try reader.number()
        guard place <= Int64(authors.count) else { throw MetadataReader.damage }
        author = place == 0 ? nil : authors[Int(place) - 1]
    }

    fileprivate func append(to writer: inout MetadataWriter, _ authors: [ClientID]) {
        writer.append(version.number)
        let place = author.flatMap { authors.firstIndex(of: $0) }
        writer.append(place.map { Int64($0) + 1 } ?? 0)
    }
}
