import Foundation
import Holdfast
import Testing

@Suite("What JSON values give")
struct JSONValueAccessTests {
    private struct Event: Record {
        static let table: TableName = "events"
        var id: RecordID = "event"
        var at = Date(timeIntervalSinceReferenceDate: 0)
    }

    @Test(arguments: [0, -1, 0.1, 817_734_603.123456, 63_113_904_000, -63_113_904_000])
    func aDateIsWhatARecordHoldsOfIt(interval: Double) async throws {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        let store = try await Store(storage: MemoryStorage())
        try await store.write { _ = try $0.put(Event(at: date)) }
        #expect(try store.read { try $0.get("event", in: "events")?["at"] } == .date(date))
        let query = Event.query.where("at", .equals, .date(date))
        #expect(try store.read { try $0.count(query) } == 1)
    }

    @Test func datesThatNoRecordHoldsComeBeforeOrBehindAllOthers() {
        let dates: [JSONValue] = [-.infinity, -1e12, 0, 1e12, .infinity].map {
            .date(Date(timeIntervalSinceReferenceDate: $0))
        }
        #expect(dates[0] == "0000-01-01T00:00:00.000000000Z")
        #expect(dates[4] == "9999-12-31T23:59:59.999999999Z")
        for (first, second) in zip(dates, dates.dropFirst()) { #expect(!second.precedes(first)) }
    }

    @Test(arguments: JSONValueTests.ordered.flatMap(\.self))
    func aValueIsOfOneKindAlone(value: JSONValue) {
        let kinds: [JSONValue?] = [
            value == .null ? .null : nil, value.boolValue.map { .bool($0) },
            value.integerValue.map { .integer($0) }, value.stringValue.map { .string($0) },
            value.arrayValue.map { .array($0) }, value.objectValue.map { .object($0) },
            value.integerValue == nil ? value.doubleValue.map { .double($0) } : nil,
        ]
        #expect(kinds.compactMap(\.self) == [value])
    }

    @Test func anIntegerIsANumberToo() {
        #expect(JSONValue.integer(3).doubleValue == 3)
        #expect(JSONValue.integer(.max).doubleValue == 0x1p63)
        #expect(JSONValue.double(3).integerValue == nil)
    }

    @Test func aValueDescribesItselfAsJSON() {
        let object: JSONObject = ["a": 1, "b": [true, .null, "x\"y"], "c": ["d": 1.5]]
        #expect("\(object)" == #"{"a":1,"b":[true,null,"x\"y"],"c":{"d":1.5}}"#)
        #expect("\([JSONValue.string("a"), 2])" == #"["a", 2]"#)
        #expect("\(JSONValue.double(.nan))".contains("number"))
    }
}
