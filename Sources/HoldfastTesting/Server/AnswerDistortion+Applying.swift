import HoldfastSync

extension AnswerDistortion {
    /// Those that can be told from an honest answer, or change nothing: syncing has to go on as if
    /// the answer had been lost.
    static func harmless(to request: SyncRequest) -> [Self] {
        switch request {
        case .hello: [.unreadable]
        case .push: [.missingParts, .unknownResults, .doubledParts, .otherDataset, .unreadable]
        case .changes: [.doubledParts, .stuckCursor, .otherDataset, .unreadable]
        case .snapshot, .records: [.doubledParts, .otherDataset, .unreadable]
        }
    }

    /// What becomes of an answer.
    ///
    /// - Throws: `TransportFailure` where it cannot be read.
    func applied(
        to answer: SyncAnswer,
        of request: SyncRequest
    ) throws(TransportFailure) -> SyncAnswer {
        if self == .unreadable { throw TransportFailure(.invalid) }
        switch answer {
        case .hello(var hello):
            if self == .otherDataset { hello.dataset = Self.stranger }
            return .hello(hello)
        case .push(let response): return .push(applied(to: response))
        case .changes(let page): return .changes(applied(to: page, of: request))
        case .snapshot(let page): return .snapshot(applied(to: page))
        case .records(var page):
            page.records = applied(to: page.records)
            return .records(page)
        }
    }

    private static let stranger = DatasetID("00000000-0000-4000-8000-000000000000")

    private func applied(to response: PushResponse) -> PushResponse {
        var response = response
        switch self {
        case .missingParts: response.results = response.results.everySecond
        case .doubledParts: response.results += response.results
        case .unknownResults:
            response.results = response.results.map { result in
                var result = result
                result.key = MutationKey("unknown \(result.key)")
                return result
            }
        case .oldVersions:
            for place in response.results.indices where response.results[place].version != nil {
                response.results[place].version = RecordVersion(1)
            }
        case .otherDataset: response.dataset = Self.stranger
        default: break
        }
        return response
    }

    private func applied(to page: ChangesPage, of request: SyncRequest) -> ChangesPage {
        var page = page
        page.changes = applied(to: page.changes)
        switch self {
        case .stuckCursor:
            if case .changes(let request) = request, let cursor = request.cursor {
                page.cursor = cursor
            }
            page.hasMore = true
        case .endlessPages:
            page.changes = []
            page.hasMore = true
        case .otherDataset: page.dataset = Self.stranger
        default: break
        }
        return page
    }

    private func applied(to page: SnapshotPage) -> SnapshotPage {
        var page = page
        page.records = applied(to: page.records)
        switch self {
        case .emptySnapshot:
            page.records = []
            page.next = nil
        case .otherDataset: page.dataset = Self.stranger
        default: break
        }
        return page
    }

    private func applied(to changes: [ServerChange]) -> [ServerChange] {
        switch self {
        case .missingParts: return changes.everySecond
        case .doubledParts: return changes + changes
        case .oldVersions:
            return changes.map { change in
                var change = change
                change.version = RecordVersion(1)
                return change
            }
        default: return changes
        }
    }
}

extension Array {
    fileprivate var everySecond: [Element] {
        indices.filter { !$0.isMultiple(of: 2) }.map { self[$0] }
    }
}
