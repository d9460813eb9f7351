import Holdfast

/// How far a store has followed one scope.
package struct ScopeState: Hashable, Sendable {
    /// A snapshot that is being taken, page by page.
    package struct Snapshot: Hashable, Sendable {
        /// What marks the records that were on a page.
        package var generation: UInt32
        /// Where the last page ended; `nil` before the first.
        package var after: SyncCursor?
        /// The newest version when the first page was made.
        package var head: RecordVersion?
        /// Where changes go on.
        package var cursor: SyncCursor?
        /// Whether all pages are there and the sweep goes on behind ``sweptThrough``.
        package var isComplete = false
        /// The key of the last record that the sweep has passed.
        package var sweptThrough: [UInt8] = []
        /// When the server has lost a part of its history: the generation in which comparing with
        /// it began.
        package var restoredSince: UInt32?
        /// The versions that the server does not know, given by histories that were lost.
        package var lost: [ClosedRange<RecordVersion>] = []

        package init(generation: UInt32) { self.generation = generation }
    }

    /// Where changes go on; `nil` at the beginning.
    package var cursor: SyncCursor?
    /// The snapshot that is being taken.
    package var snapshot: Snapshot?
    /// The newest version when the last snapshot was made that was swept: what is older and stood
    /// on none of its pages is not in the scope.
    package var sweptHead: RecordVersion?
    /// How many live records were removed since the end of the history was last reached.
    package var removals: Int64 = 0
    /// How many live records there were before the removals; counted when there are many of those.
    package var records: Int64?
    /// The removals that the app has confirmed, by what ``MassDelete`` named them.
    package var accepted: String?
    /// Whether the principal sees the scope no longer, and its records are being removed.
    package var isRevoked = false
    /// Whether the app follows the scope no longer: its clean records are removed, and the others when
    /// what waits of them has been sent.
    package var isLeft = false

    package init() {}
}

extension ScopeState {
    package func encoded() throws -> [UInt8] {
        var object: JSONObject = ["removals": .integer(removals)]
        object["records"] = records.map { .integer($0) }
        object["cursor"] = cursor.map { .string($0.text) }
        object["accepted"] = accepted.map { .string($0) }
        object["sweptHead"] = sweptHead.map { .integer($0.number) }
        object["revoked"] = isRevoked ? .bool(true) : nil
        object["left"] = isLeft ? .bool(true) : nil
        if let snapshot { object["snapshot"] = .object(snapshot.object) }
        return try Document.encode(object)
    }

    package init(_ bytes: [UInt8]) throws {
        let document = try SyncDocument.decode(bytes[...], of: "a scope")
        removals = try document.integer("removals")
        records = try document.optionalInteger("records")
        cursor = try document.optionalText("cursor").map { SyncCursor($0) }
        accepted = try document.optionalText("accepted")
        sweptHead = try document.optionalInteger("sweptHead").map { RecordVersion($0) }
        isRevoked = try document.optionalBool("revoked") ?? false
        isLeft = try document.optionalBool("left") ?? false
        snapshot = try document.optionalObject("snapshot").map {
            try Snapshot(SyncDocument($0, of: "a scope"))
        }
    }
}

extension ScopeState.Snapshot {
    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "generation": .integer(Int64(generation)), "complete": .bool(isComplete),
            "swept": .array(sweptThrough.map { .integer(Int64($0)) }),
        ]
        object["restoredSince"] = restoredSince.map { .integer(Int64($0)) }
        object["lost"] = lost.isEmpty ? nil : .array(lost.bounds)
        object["after"] = after.map { .string($0.text) }
        object["head"] = head.map { .integer($0.number) }
        object["cursor"] = cursor.map { .string($0.text) }
        return object
    }

    fileprivate init(_ document: SyncDocument) throws {
        generation = UInt32(clamping: try document.integer("generation"))
        isComplete = try document.optionalBool("complete") ?? false
        restoredSince = try document.optionalInteger("restoredSince").map { UInt32(clamping: $0) }
        lost = try [ClosedRange<RecordVersion>](bounds: document.optionalArray("lost") ?? [])
        after = try document.optionalText("after").map { SyncCursor($0) }
        head = try document.optionalInteger("head").map { RecordVersion($0) }
        cursor = try document.optionalText("cursor").map { SyncCursor($0) }
        sweptThrough = try document.array("swept").map { value in
            guard let byte = value.integerValue.flatMap({ UInt8(exactly: $0) }) else {
                throw document.damage
            }
            return byte
        }
    }
}
