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

    func decode(_ value: RawSpan, at key: RawSpan) throws -> JSONObject {
        do {
            return try Document.decode(value)
        } catch {
            throw StoreError(error, at: key)
        }
    }

    func decode<Row: Record>(_ type: Row.Type, _ value: RawSpan, at key: RawSpan) throws -> Row {
        do {
            return try DocumentDecoder.decode(type, from: value)
        } catch let error as DecodingError {
            return try complete(type, value, at: key, lacking: error)
        } catch {
            throw StoreError(error, reading: type, at: key)
        }
    }

    private func complete<Row: Record>(
        _ type: Row.Type,
        _ value: RawSpan,
        at key: RawSpan,
        lacking error: DecodingError
    ) throws -> Row {
        do {
            guard case .keyNotFound = error, var completion = try RecordCompletion<Row>(value)
            else {
                throw error
            }
            return try completion.decode(lacking: error)
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
