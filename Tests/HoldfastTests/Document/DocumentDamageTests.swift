import Holdfast
import Testing

@Suite("Damaged documents")
struct DocumentDamageTests {
    @Test(arguments: [
        ("", DocumentError.Reason.unknownVersion, 0), ("00", .unknownVersion, 0),
        ("02", .unknownVersion, 0), ("01 01", .truncated, 2), ("01 0161", .truncated, 3),
        ("01 0561", .truncated, 2), ("01 ff", .truncated, 2), ("01 ffffffffff", .truncated, 6),
        ("01 0161 03", .truncated, 4), ("01 0161 04 00", .truncated, 4),
        ("01 0161 05 000000", .truncated, 4), ("01 0161 06 00", .truncated, 4),
        ("01 0161 07 00", .truncated, 4), ("01 0161 08 ffffffff", .truncated, 8),
        ("01 0161 0b 00", .truncated, 4), ("01 0161 0f 00", .truncated, 4),
        ("01 0161 81", .truncated, 4), ("01 0161 09 01000000", .truncated, 8),
        ("01 0161 0a 02000000 01", .truncated, 8), ("01 0161 09 01000000 05 00", .truncated, 9),
        ("01 0161 10", .unknownTag, 3), ("01 0161 3f", .unknownTag, 3),
        ("01 0161 07 000000000000f07f", .invalidNumber, 4),
        ("01 0161 07 010000000000f0ff", .invalidNumber, 4),
        ("01 0161 81 ff", .invalidText, 4), ("01 0161 82 c3 28", .invalidText, 4),
        ("01 0161 83 eda080", .invalidText, 4), ("01 01ff 00", .invalidText, 2),
        ("01 0161 00 0161 00", .duplicateName, 4),
        ("01 0161 0a 06000000 0161 00 0161 00", .duplicateName, 11),
    ])
    func damageIsAnErrorWithItsOffset(hex: String, reason: DocumentError.Reason, offset: Int) {
        let error = #expect(throws: DocumentError.self) { try Document.decode(Hex.bytes(hex)) }
        #expect(error == DocumentError(reason: reason, offset: offset))
    }

    @Test
    func nestingIsBoundedWhenRead() {
        var document: [UInt8] = [1, 0]
        for depth in 0..<10_000 {
            document +=
                [9] + (0..<4).map { UInt8(truncatingIfNeeded: ((9_999 - depth) * 5) >> ($0 * 8)) }
        }
        let error = #expect(throws: DocumentError.self) { try Document.decode(document) }
        #expect(error?.reason == .nestingTooDeep)
    }

    @Test
    func everyTruncationIsAnErrorOrAnObjectOfTheFieldsBefore() throws {
        var samples = JSONSamples(seed: 1)
        let object = samples.object()
        let document = try Document.encode(object)
        for count in 0..<document.count {
            guard let cut = try? Document.decode(Array(document[..<count])) else { continue }
            #expect(zip(cut, object).allSatisfy { $0 == $1 })
            #expect(cut.count < object.count)
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func noDamageTrapsAndWhatDecodesIsAValue(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<20 {
            let object = samples.object()
            var document = try Document.encode(object)
            for _ in 0..<30 {
                damage(&document, using: &samples.generator)
                for name in object.map(\.name) + ["x"] {
                    _ = try? DocumentAccess.value(of: name, in: document)
                    _ = try? DocumentAccess.order(of: name, in: document, to: "x")
                }
                guard let decoded = try? Document.decode(document) else { continue }
                #expect(try Document.decode(Document.encode(decoded)) == decoded, "seed \(seed)")
                #expect(try JSONObject(parsing: decoded.serialized()) == decoded, "seed \(seed)")
            }
        }
    }

    private func damage(_ document: inout [UInt8], using generator: inout SeededGenerator) {
        let position = Int.random(in: 0..<(document.count + 1), using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where position < document.count:
            document[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1 where position < document.count:
            document[position] = [0, 1, 9, 10, 0xFF].randomElement(using: &generator)!
        case 2 where position < document.count: document.remove(at: position)
        case 3: document.insert(.random(in: 0...255, using: &generator), at: position)
        default: document.insert(contentsOf: document[position...].prefix(9), at: position)
        }
    }
}
