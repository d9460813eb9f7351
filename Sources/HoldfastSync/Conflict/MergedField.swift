import Holdfast

/// What becomes of a field that both sides changed, and what is lost by it.
struct MergedField: Hashable {
    /// The value; `nil` where the field is not there.
    let value: JSONValue?
    /// Whether what was written here is not in it.
    let discardsLocal: Bool
    /// Whether what the server has is not in it.
    let discardsRemote: Bool

    /// A value that both sides are in.
    static func both(_ value: JSONValue) -> Self {
        Self(value: value, discardsLocal: false, discardsRemote: false)
    }

    static func local(_ conflict: FieldConflict) -> Self {
        Self(value: conflict.local, discardsLocal: false, discardsRemote: true)
    }

    static func remote(_ conflict: FieldConflict) -> Self {
        Self(value: conflict.remote, discardsLocal: true, discardsRemote: false)
    }

    static func value(_ value: JSONValue?, in conflict: FieldConflict) -> Self {
        Self(
            value: value,
            discardsLocal: value != conflict.local,
            discardsRemote: value != conflict.remote
        )
    }
}

extension FieldConflict {
    /// What a policy makes of it; whatever is no number, text or array as the policy needs it, goes
    /// by the server's order.
    ///
    /// - Parameters:
    ///   - policy: The policy; one that asks has been answered with what is here.
    ///   - localRecord: The whole record here.
    ///   - remoteRecord: The whole record on the server.
    /// - Returns: The value, and who loses.
    func merged(
        by policy: FieldPolicy,
        in localRecord: JSONObject,
        and remoteRecord: JSONObject
    ) -> MergedField {
        switch policy.kind {
        case .serverOrder, .ask: .local(self)
        case .serverWins, .keepBoth: .remote(self)
        case .maximum: greater(local, than: remote)
        case .minimum: lesser(local, than: remote)
        case .latest(let clock): later(localRecord[clock], remoteRecord[clock])
        case .counter: counted
        case .set: united
        case .text: woven
        case .custom(let merge): .value(merge(self), in: self)
        }
    }

    private func greater(_ local: JSONValue?, than remote: JSONValue?) -> MergedField {
        Self.order(local, remote) == .after ? .local(self) : .remote(self)
    }

    /// A removed field is no small value: what is there wins.
    private func lesser(_ local: JSONValue?, than remote: JSONValue?) -> MergedField {
        guard let local, let remote else { return greater(local, than: remote) }
        return local.order(to: remote) == .before ? .local(self) : .remote(self)
    }

    /// At the same time the greater value wins, so that it does not matter who asks.
    private func later(_ localTime: JSONValue?, _ remoteTime: JSONValue?) -> MergedField {
        switch Self.order(localTime, remoteTime) {
        case .after: .local(self)
        case .before: .remote(self)
        case .same: greater(local, than: remote)
        }
    }

    private static func order(_ left: JSONValue?, _ right: JSONValue?) -> ValueOrder {
        switch (left, right) {
        case (nil, nil): .same
        case (nil, _): .before
        case (_, nil): .after
        case (let left?, let right?): left.order(to: right)
        }
    }

    /// What was added here is added to what the server has.
    private var counted: MergedField {
        guard let local, let step = JSONValue.step(from: base, to: local),
            remote?.doubleValue != nil, let sum = JSONValue.counting(remote, and: step)
        else { return .local(self) }
        return .both(sum)
    }

    /// What the server has, without what was removed here and with what was added here.
    private var united: MergedField {
        guard let local = local?.arrayValue, let remote = remote?.arrayValue,
            let base = Self.elements(base)
        else { return .local(self) }
        let removed = Set(base).subtracting(local)
        let known = Set(base)
        var present = Set(remote)
        var union = remote.filter { !removed.contains($0) }
        for element in local where !known.contains(element) && present.insert(element).inserted {
            union.append(element)
        }
        return .both(.array(union))
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue]? {
        guard let value, value != .null else { return [] }
        return value.arrayValue
    }

    private var woven: MergedField {
        guard let local = local?.stringValue, let remote = remote?.stringValue,
            let base = Self.text(base)
        else { return .local(self) }
        let merge = TextMerge(base: base, local: local, remote: remote)
        return MergedField(
            value: .string(merge.text),
            discardsLocal: false,
            discardsRemote: merge.discardsRemote
        )
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return "" }
        return value.stringValue
    }
}
