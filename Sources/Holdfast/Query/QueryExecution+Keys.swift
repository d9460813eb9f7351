import HoldfastStorage

extension QueryExecution {
    /// Visits the keys of a plan's records, each once and in no order, until `visit` returns
    /// `false`.
    func forEachKeyUnordered(_ visit: (_ key: RawSpan) throws -> Bool) throws {
        guard plan.sources.count == 1, plan.sources[0].namesOnce else {
            return try forEachKey(visit)
        }
        try scan(plan.sources[0], visit)
    }

    /// Visits the keys of a plan's records, each once, until `visit` returns `false`.
    ///
    /// Those of a plan that gathers come in the order of the tie, and only from behind `start` on.
    func forEachKey(
        behind start: [UInt8]? = nil,
        stretch: Int? = nil,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        switch plan.access {
        case .table(let keys): try scan(KeySource(index: nil, keys: keys), visit)
        case .index(let index, let keys): try scan(KeySource(index: index, keys: keys), visit)
        case .gathered(let sources):
            let range = start.map { plan.direction.part(of: .all, beyond: $0) } ?? .all
            try gather(sources, within: range, stretch: stretch ?? self.stretch, visit)
        }
    }

    /// Visits the keys that some sources name, each once and in order.
    ///
    /// It holds a stretch of them: when there are more, the sources are asked again for what
    /// follows.
    private func gather(
        _ sources: [KeySource],
        within range: KeyRange,
        stretch: Int,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        if sources.count == 1, let indexKey = sources[0].onlyIndexKey, let index = sources[0].index
        {
            let name = name(of: index)
            try state.storage.scanIndex(name, at: indexKey, range, plan.direction) { key in
                try !hasOtherTerms(key, of: sources[0]) || visit(key)
            }
            return
        }
        var (rest, goesOn) = (range, true)
        while goesOn {
            var gathered = KeyStretch(limit: stretch, plan.direction)
            for source in sources {
                try scan(source, within: rest) { key in
                    gathered.append(key)
                    return true
                }
            }
            try gathered.visitKeys { key in
                goesOn = try visit(key)
                return goesOn
            }
            guard let end = gathered.end else { return }
            rest = plan.direction.part(of: rest, beyond: end)
        }
    }

    /// Visits the keys of a source as they come, those of them that are in a range.
    private func scan(
        _ source: KeySource,
        within keys: KeyRange? = nil,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        var goesOn = true
        for range in source.keys.ranges where goesOn {
            guard let index = source.index else {
                try state.storage.scanKeys(range, .forward) { key in
                    if let keys, !keys.holds(key) { return true }
                    goesOn = try visit(key)
                    return goesOn
                }
                continue
            }
            try state.storage.scanIndex(name(of: index), range, .forward) { _, key in
                if let keys, !keys.holds(key) { return true }
                goesOn = try !hasOtherTerms(key, of: source) || visit(key)
                return goesOn
            }
        }
    }

    /// Whether a record has a source's other words, as the index says.
    private func hasOtherTerms(_ key: RawSpan, of source: KeySource) throws -> Bool {
        guard !source.otherTerms.isEmpty, let index = source.index else { return true }
        let record = KeyRange.exactly(key.array)
        let name = name(of: index)
        return try source.otherTerms.allSatisfy { term in
            var isThere = false
            let word = WordKey.bytes(of: term.bytes)
            try state.storage.scanIndex(name, at: word, record, .forward) { _ in
                isThere = true
                return false
            }
            return isThere
        }
    }
}

extension KeyRange {
    fileprivate func holds(_ key: RawSpan) -> Bool {
        guard key.order(to: lower) != .before else { return false }
        return upper.map { key.order(to: $0) == .before } ?? true
    }
}
