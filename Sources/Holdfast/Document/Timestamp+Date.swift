#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Timestamp {
    /// The start of 2001, which dates count from, in seconds since 1970.
    private static let referenceSeconds = 978_307_200

    /// The date's time; `nil` outside the years 0 to 9999.
    ///
    /// A date counts seconds as a `Double`, about 0.1 microseconds apart in our time. It becomes
    /// the time with the fewest digits of fraction, out of 3, 6 and 9, that gives back the same
    /// date; so a text with milliseconds or microseconds comes back as it was. In the 97 days
    /// around the start of 2001, where dates are finer than nanoseconds, it is rounded.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let seconds = Int(exactly: whole) else { return nil }
        self.init(
            seconds: seconds &+ Self.referenceSeconds,
            nanoseconds: Self.nanoseconds(of: interval, whole: whole)
        )
        if nanoseconds == 1_000_000_000 {
            self.seconds += 1
            nanoseconds = 0
        }
        guard Self.secondsRange.contains(self.seconds) else { return nil }
    }

    private static func nanoseconds(of interval: Double, whole: Double) -> Int {
        let fraction = interval - whole
        for (digits, unit) in [(1e3, 1_000_000), (1e6, 1_000)] {
            let nanoseconds = Int((fraction * digits).rounded()) * unit
            if whole + Double(nanoseconds) / 1e9 == interval { return nanoseconds }
        }
        return Int((fraction * 1e9).rounded())
    }

    /// The nearest date.
    var date: Date {
        let whole = Double(seconds - Self.referenceSeconds)
        return Date(timeIntervalSinceReferenceDate: whole + Double(nanoseconds) / 1e9)
    }

    /// The text with nine digits of fraction.
    var text: String {
        String(utf8Count: Self.textLength(fractionDigits: 9)) { write(fractionDigits: 9, to: &$0) }
    }
}
