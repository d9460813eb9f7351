import Holdfast
import Testing

@Suite("Index keys")
struct IndexKeyTests {
    /// The key of several values, ended by the first that is cut, and whether one was.
    private func key(_ values: [JSONValue]) -> (bytes: [UInt8], isCut: Bool) {
        var bytes: [UInt8] = []
        for value in values {
            if IndexKey.append(value, to: &bytes) { return (bytes, true) }
        }
        return (bytes, false)
    }

    private func isTruncated(_ key: [UInt8]) -> Bool {
        unsafe IndexKey.isTruncated(key.span.bytes)
    }

    private func order(_ first: [UInt8], _ second: [UInt8]) -> ValueOrder {
        if first == second { return .same }
        return first.lexicographicallyPrecedes(second) ? .before : .after
    }

    private func order(_ first: [JSONValue], _ second: [JSONValue]) -> ValueOrder {
        zip(first, second).lazy.map { $0.order(to: $1) }.first { $0 != .same } ?? .same
    }

    @Test
    func bytesOrderAsValuesDo() {
        for (rank, row) in JSONValueTests.ordered.enumerated() {
            for (otherRank, otherRow) in JSONValueTests.ordered.enumerated() {
                for value in row {
                    for other in otherRow {
                        let (first, second) = (key([value]), key([other]))
                        #expect(!first.isCut && !isTruncated(first.bytes))
                        #expect(
                            order(first.bytes, second.bytes) == ValueOrder(rank, otherRank),
                            "\(value) \(other)"
                        )
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func compoundKeysOrderByTheFirstDifference(seed: UInt64) {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<300 {
            let common = samples.value()
            let first = [common, samples.value(), samples.value()]
            let second = [common, samples.value(), samples.value()]
            let (left, right) = (key(first), key(second))
            #expect(left.isCut == isTruncated(left.bytes), "seed \(seed)")
            let byBytes = order(left.bytes, right.bytes)
            if byBytes == .same, left.isCut { continue }
            #expect(byBytes == order(first, second), "seed \(seed): \(first) \(second)")
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func nearNumbersOrderExactly(seed: UInt64) {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<300 {
            let integer = samples.integer()
            let double = Double(integer)
            let near: [JSONValue] = [
                .integer(integer), .integer(integer &+ 1), .integer(integer &- 1),
                .double(double), .double(double.nextUp), .double(double.nextDown),
            ]
            for first in near {
                for second in near {
                    let byBytes = order(key([first]).bytes, key([second]).bytes)
                    #expect(byBytes == first.order(to: second), "\(first) \(second)")
                }
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func noKeyIsTheBeginningOfAnother(seed: UInt64) {
        var samples = JSONSamples(seed: seed)
        let keys = (0..<200).map { _ in key([samples.value()]).bytes }
        for first in keys {
            for second in keys where second != first { #expect(!second.starts(with: first)) }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func keysFromDocumentsAreThoseOfTheirValues(seed: UInt64) throws {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<50 {
            let object = samples.object()
            let fields = ["f1", "f2"] + object.map(\.name).shuffled(using: &samples.generator)
            let document = try Document.encode(object)
            var extracted: [[UInt8]] = []
            unsafe IndexKeyExtractor(fields: fields).extract(from: document.span.bytes) { key in
                extracted.append(unsafe key.withUnsafeBytes { unsafe Array($0) })
            }
            #expect(extracted == [key(fields.map { object[$0] ?? .null }).bytes], "seed \(seed)")
        }
    }

    @Test
    func damagedDocumentsHaveNoKey() {
        let damaged: [UInt8] = [1, 1, 0x61, 0x10]
        unsafe IndexKeyExtractor(fields: ["a"]).extract(from: damaged.span.bytes) { _ in
            Issue.record("a damaged document has a key")
        }
    }

    @Test
    func longValuesAreCutWhereTheLimitIs() {
        let fitting = String(repeating: "x", count: IndexKey.payloadLimit - 1)
        #expect(!key([.string(fitting)]).isCut)
        let keys = ["", "x", "xa", "xb"].map { key([.string(fitting + $0), 1]) }
        #expect(keys.map(\.isCut) == [false, true, true, true])
        #expect(keys[1].bytes == keys[2].bytes && keys[2].bytes == keys[3].bytes)
        #expect(keys.map { isTruncated($0.bytes) } == [false, true, true, true])
        #expect(keys[3].bytes.count == IndexKey.payloadLimit + 2)
        #expect(key([.array(Array(repeating: 1, count: 100))]).isCut)
        #expect(key([.string(String(repeating: "\0", count: 200))]).isCut)
        #expect(order(key([.string(fitting + "\0")]).bytes, keys[0].bytes) == .after)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func aPrefixIsTheBeginningOfItsTextsKeysAlone(seed: UInt64) {
        var samples = JSONSamples(seed: seed)
        for _ in 0..<300 {
            let (text, other) = (samples.text(), samples.text())
            let prefix = String(
                text.unicodeScalars.prefix(Int.random(in: 0...9, using: &samples.generator))
            )
            var bytes: [UInt8] = []
            let isCut = IndexKey.appendPrefix(prefix, to: &bytes)
            #expect(!isCut)
            #expect(key([.string(text)]).bytes.starts(with: bytes), "seed \(seed)")
            #expect(
                key([.string(other)]).bytes.starts(with: bytes)
                    == Array(other.utf8).starts(with: Array(prefix.utf8)),
                "seed \(seed)"
            )
        }
        var bytes: [UInt8] = []
        let long = String(repeating: "x", count: 300)
        #expect(IndexKey.appendPrefix(long, to: &bytes))
        #expect(key([.string(long + "y")]).bytes.starts(with: bytes))
    }
}
