import HoldfastStorage

extension StoreState {
    func decode(_ value: [UInt8], at key: [UInt8]) throws -> JSONObject {
        try value.withRawSpan { value in
            try key.withRawSpan { key in try decode(value, at: key) }
        }
    }

    func decode(_ value: [UInt8], at key: RawSpan) throws -> JSONObject {
        try value.withRawSpan { try decode($0, at: key) }
    }

    func decode<Row: Record>(_ type: Row.Type, _ value: [UInt8], at key: [UInt8]) throws -> Row {
        try value.withRawSpan { value in
            try key.withRawSpan { key in try decode(type, value, at: key) }
        }
    }

    func decode(_ value: RawSpan, at key: RawSpan) throws -> JSONObject {
        do {
            return try Document.decode(value)
        } catch {
            throw StoreError(error, at: key)
        }
    }

    func decode<Row: Record>(_ type: Row.Type, _ value: RawSpan, at key: RawSpan) throws -> Row {
        do {
            return try DocumentDecoder.decode(record: type, from: value)
        } catch {
            throw StoreError(error, reading: type, at: key)
        }
    }

    /// Reads one of the store's own records.
    func decodeSystem(_ value: [UInt8]) throws -> JSONObject {
        do {
            return try Document.decode(value)
        } catch {
            throw StoreError(
                .corruption,
                "A record of the store's own cannot be read back; run `hold verify`.",
                cause: error
            )
        }
    }
}
