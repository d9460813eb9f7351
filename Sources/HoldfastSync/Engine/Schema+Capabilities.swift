import Holdfast

extension Schema {
    /// - Throws: ``SyncError`` `.unsupported` when a transport cannot carry what the tables need.
    func requireCapabilities(of transport: any SyncTransport) throws {
        let capabilities = transport.capabilities
        for table in tables {
            guard let rules = table.syncRules else { continue }
            if rules.kind == .serverAuthoritative, !capabilities.contains(.action) {
                throw SyncError.unsupported("actions", table.name)
            }
            let policies = [rules.policy] + rules.fields.values
            if policies.contains(where: \.isCounter), !capabilities.contains(.delta) {
                throw SyncError.unsupported("numbers to add", table.name)
            }
        }
    }
}

extension FieldPolicy {
    fileprivate var isCounter: Bool { if case .counter = kind { true } else { false } }
}
