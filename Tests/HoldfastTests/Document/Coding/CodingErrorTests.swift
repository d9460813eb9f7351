import Foundation
import Holdfast
import Testing

@Suite("Coding errors")
struct CodingErrorTests {
    struct Holder<Value: Codable>: Codable {
        var list: [[String: Value]]
    }

    private func path(_ keys: [any CodingKey]) -> String {
        keys.map(\.stringValue).joined(separator: ".")
    }

    /// Where and why encoding a value inside a record fails.
    private func encodingError(_ value: some Codable) -> String? {
        do {
            _ = try DocumentEncoder.encode(Holder(list: [[:], ["k": value]]))
            return nil
        } catch EncodingError.invalidValue(_, let context) {
            return "\(path(context.codingPath)): \(context.debugDescription)"
        } catch {
            return "\(error)"
        }
    }

    @Test
    func valuesThatCannotBeStoredAreNamed() {
        let place = "list.Index 1.k"
        let notFinite = "\(place): A number is infinite or not a number."
        #expect(encodingError(Double.nan) == notFinite)
        #expect(encodingError(-Float.infinity) == notFinite)
        #expect(encodingError(UInt64.max) == "\(place): An integer is outside 64 bits.")
        #expect(encodingError(Int128.max) == "\(place): An integer is outside 64 bits.")
        let date = Date(timeIntervalSinceReferenceDate: 1e12)
        #expect(encodingError(date) == "\(place): A date is outside the years 0 to 9999.")
        #expect(encodingError(Date(timeIntervalSinceReferenceDate: .nan)) != nil)
        #expect(encodingError(Date(timeIntervalSinceReferenceDate: -.infinity)) != nil)
        #expect(
            encodingError([Optional(1.0), .nan])
                == "\(place).Index 1: A number is infinite or not a number."
        )
    }

    @Test
    func aRecordIsAnObject() {
        #expect(throws: EncodingError.self) { try DocumentEncoder.encode([1, 2]) }
        #expect(throws: EncodingError.self) { try DocumentEncoder.encode("text") }
        #expect(throws: EncodingError.self) { try DocumentEncoder.encode(1 as Int?) }
        #expect(throws: DecodingError.self) { try DocumentDecoder.decode([Int].self, from: [1]) }
        #expect(throws: DecodingError.self) { try DocumentDecoder.decode(Int.self, from: [1]) }
        #expect(throws: DecodingError.self) { try DocumentDecoder.decode(Date.self, from: [1]) }
    }

    /// Where and why decoding a value inside a record fails.
    private func decodingError<Value: Codable>(_ type: Value.Type, _ value: JSONValue) -> String? {
        do {
            let document = try Document.encode(["list": [[:], ["k": value]]])
            _ = try DocumentDecoder.decode(Holder<Value>.self, from: document)
            return nil
        } catch DecodingError.typeMismatch(let type, let context) {
            return "\(path(context.codingPath)): \(type): \(context.debugDescription)"
        } catch DecodingError.valueNotFound(let type, let context) {
            return "\(path(context.codingPath)): \(type): \(context.debugDescription)"
        } catch DecodingError.dataCorrupted(let context) {
            return "\(path(context.codingPath)): \(context.debugDescription)"
        } catch DecodingError.keyNotFound(let key, let context) {
            return "\(path(context.codingPath)): no \(key.stringValue)"
        } catch {
            return "\(error)"
        }
    }

    @Test
    func valuesOfAnotherKindAreNamed() {
        let place = "list.Index 1.k"
        #expect(decodingError(Int.self, "1") == "\(place): Int: Found a text instead.")
        #expect(decodingError(String.self, 1) == "\(place): String: Found a number instead.")
        #expect(decodingError(Bool.self, 1.5) == "\(place): Bool: Found a number instead.")
        #expect(decodingError(Double.self, true) == "\(place): Double: Found a bool instead.")
        #expect(decodingError(Date.self, []) == "\(place): Date: Found an array instead.")
        #expect(decodingError(UUID.self, [:]) == "\(place): UUID: Found an object instead.")
        let null = "Found null where the type wants a value: make the property optional."
        #expect(decodingError(Int.self, .null) == "\(place): Int: \(null)")
        #expect(decodingError([Int].self, 1) == "\(place): Array<Any>: Found a number instead.")
        #expect(
            decodingError([Int].self, [1, "x"]) == "\(place).Index 1: Int: Found a text instead."
        )
        #expect(decodingError(Int8.self, 128) == "\(place): The number does not fit Int8.")
        #expect(decodingError(UInt.self, -1) == "\(place): The number does not fit UInt.")
        #expect(decodingError(Int.self, 1.5) == "\(place): The number does not fit Int.")
        #expect(decodingError(Float.self, 1e300) == "\(place): The number does not fit Float.")
        let date = "\(place): The text is not a timestamp (RFC 3339)."
        #expect(decodingError(Date.self, "yesterday") == date)
        #expect(decodingError(Date.self, "0190a5c4-7e2f-7d3a-8b1c-0242ac120002") == date)
        #expect(decodingError(UUID.self, "x") == "\(place): The text is not a UUID.")
        #expect(decodingError(Data.self, "?") == "\(place): The text is not base64.")
        #expect(
            decodingError(SampleNote.self, ["id": .null])
                == "\(place).id: UUID: \(null)"
        )
        #expect(decodingError(SampleNote.self, [:]) == "\(place): no id")
        #expect(decodingError(SampleKinds.Colour.self, "blue")?.hasPrefix(place) == true)
    }

    @Test
    func anArrayThatEndsTooEarlyIsAnError() {
        struct Pair: Codable {
            var first: Int
            var second: Int

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                first = try container.decode(Int.self)
                second = try container.decode(Int.self)
            }
        }
        #expect(
            decodingError(Pair.self, [1]) == "list.Index 1.k.Index 1: Int: The array ends here."
        )
        #expect(decodingError(Pair.self, [1, 2, 3]) == nil)
    }

    @Test
    func anElementThatReachesBehindItsArrayIsAnError() {
        struct Counting: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.container(keyedBy: AnyKey.self)
                    .nestedUnkeyedContainer(forKey: AnyKey("a"))
                while !container.isAtEnd {
                    _ = container.count
                    _ = try? container.decode(String.self)
                    _ = container.count
                    _ = try container.superDecoder()
                }
            }
        }
        let document = Hex.bytes("01 0161 09 02000000 84 61 6161 016200 00")
        #expect(throws: DocumentError.self) {
            try DocumentDecoder.decode(Counting.self, from: document)
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func damagedDocumentsNeverTrapADecoder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = try DocumentEncoder.encode(SampleKinds()).bytes
        for _ in 0..<60 {
            var document = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let position = Int.random(in: 1..<document.count, using: &generator)
                document[position] = .random(in: 0...255, using: &generator)
            }
            _ = try? DocumentDecoder.decode(SampleKinds.self, from: document)
            _ = KnownFields(askedBy: SampleKinds.self, in: document)
        }
        for count in 0..<whole.count {
            _ = KnownFields(askedBy: SampleKinds.self, in: Array(whole[..<count]))
            #expect(throws: (any Error).self) {
                try DocumentDecoder.decode(SampleKinds.self, from: Array(whole[..<count]))
            }
        }
    }
}
