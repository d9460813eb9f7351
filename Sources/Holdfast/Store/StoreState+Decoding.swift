import HoldfastStorage

extension StoreState {
    func decode(_ value: [UInt8], at key: [UInt8]) throws -> JSONObject {
        try value.withRawSpan { value in
            try key.withRawSpan { key in try decode(value, at: key) }
        }
    }

    func decode<Row: Record>(_ type: Row.Type, _ value: [UInt8], at key: [UInt8]) throws -> Row {
        try value.withRawSpan { value in
            try key.withRawSpan { key in try decode(type, value, at: key) }
        }
    }

    func decode(_ value: RawSpan, at key: RawSpan) throws -> JSONObject { JSONObject() }
    func decodeSystem(_ value: [UInt8]) throws -> JSONObject { JSONObject() }
    func decode<Row: Record>(_ type: Row.Type, _ value: RawSpan, at key: RawSpan) throws -> Row {
        throw StoreError(.wrongType, "", table: RecordKey.table(of: key))
    }
}
