#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONValue {
    /// The text that a record holds for a date, to compare with in a query: RFC 3339 in UTC with
    /// nine digits of fraction, so that texts order as the dates do.
    ///
    /// ```swift
    /// Task.query.where("due", .isLess, .date(.now))
    /// ```
    ///
    /// A date outside the years 0 to 9999, which no record holds, counts as the nearest inside.
    public static func date(_ date: Date) -> JSONValue {
        let text = Timestamp(date)?.text
        return .string(text ?? (date.timeIntervalSinceReferenceDate < 0 ? firstDate : lastDate))
    }

    private static let firstDate = "0000-01-01T00:00:00.000000000Z"
    private static let lastDate = "9999-12-31T23:59:59.999999999Z"
}
