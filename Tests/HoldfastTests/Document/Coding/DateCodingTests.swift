import Foundation
import Holdfast
import Testing

@Suite("Dates")
struct DateCodingTests {
    private struct Holder: Codable {
        var at: Date
    }

    private func text(_ date: Date) throws -> String {
        let object = try Document.decode(DocumentEncoder.encode(Holder(at: date)).bytes)
        guard case .string(let text) = object["at"] else { throw CocoaError(.coderInvalidValue) }
        return text
    }

    private func date(_ text: String) throws -> Date {
        try DocumentDecoder.decode(Holder.self, from: Document.encode(["at": .string(text)])).at
    }

    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00.000000000Z"), (-978_307_200.0, "1970-01-01T00:00:00.000000000Z"),
        (-978_307_200.5, "1969-12-31T23:59:59.500000000Z"),
        (817_734_603.123, "2026-11-30T12:30:03.123000000Z"),
        (817_734_603.123456, "2026-11-30T12:30:03.123456000Z"),
        (63_113_904_000.0, "4001-01-01T00:00:00.000000000Z"),
        (-63_113_904_000.0, "0001-01-01T00:00:00.000000000Z"),
        (-63_145_526_400.0, "0000-01-01T00:00:00.000000000Z"),
        (252_423_993_599.0, "9999-12-31T23:59:59.000000000Z"),
    ])
    func aDateIsItsTextInUTC(interval: Double, expected: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        #expect(try text(date) == expected)
        #expect(try self.date(expected) == date)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func datesComeBackExactlyAndTheirTextsOrderAsTheyDo(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // From 1901 to 2101 without the 97 days where dates are finer than nanoseconds.
        var dates: [Date] = []
        for _ in 0..<300 {
            let interval = Double.random(in: -3.15e9...3.15e9, using: &generator)
            let date = Date(timeIntervalSinceReferenceDate: interval)
            if abs(interval) > 8.4e6 { #expect(try self.date(text(date)) == date, "seed \(seed)") }
            let next = Date(timeIntervalSinceReferenceDate: interval.nextUp)
            dates += [date, next]
        }
        let texts = try dates.sorted().map(text)
        #expect(texts == texts.sorted(), "seed \(seed)")
        #expect(Set(texts.map(\.utf8.count)) == [30])
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func milliAndMicrosecondsComeBackAsTheyWere(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let digits = Bool.random(using: &generator) ? 3 : 6
            let fraction = String(Int.random(in: 1_000_000..<2_000_000, using: &generator))
                .dropFirst().prefix(digits)
            let minute = Int.random(in: 10..<60, using: &generator)
            let year = Int.random(in: 1960..<2060, using: &generator)
            let zeros = String(repeating: "0", count: 9 - digits)
            let short = "\(year)-06-15T12:\(minute):07.\(fraction)"
            #expect(try text(date(short + "Z")) == short + zeros + "Z", "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("2026-11-30T12:30:03Z", 817_734_603.0), ("2026-11-30t12:30:03z", 817_734_603.0),
        ("2026-11-30T14:30:03+02:00", 817_734_603.0), ("2026-11-30T07:00:03-05:30", 817_734_603.0),
        ("2026-11-30T12:30:03.5Z", 817_734_603.5),
        ("2026-11-30T12:30:03.50000000000Z", 817_734_603.5),
        ("2016-12-31T23:59:60Z", 504_921_600.0), ("2000-02-29T00:00:00Z", -26_524_800.0),
    ])
    func everyTextOfTheRFCIsRead(text: String, interval: Double) throws {
        #expect(try date(text).timeIntervalSinceReferenceDate == interval)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T12:30:03", "2026-11-30T12:30Z", "2026-11-30T12:30:03.Z",
        "2026-11-30T12:30:03+0200", "2026-11-30T12:30:03+24:00", "2026-11-30T12:30:03+02:60",
        "2026-11-30T12:30:61Z", "2026-11-30T25:00:00Z", "2026-02-29T00:00:00Z",
        "2026-11-30T12:30:03ZZ",
        "20261130T123003Z", "2026-11-30 12:30:03Z", " 2026-11-30T12:30:03Z",
        "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "2026-11-30T12:30:03\u{E9}", "-026-11-30T12:30:03Z",
    ])
    func otherTextsAreErrors(text: String) {
        #expect(throws: DecodingError.self) { try date(text) }
    }
}
