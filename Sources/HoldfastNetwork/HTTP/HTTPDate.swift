/// Times as HTTP writes them (RFC 9110, 5.6.7), in seconds since 1970.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ seconds: Int64) -> String {
        // The years that have four digits: others cannot be said.
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let day = seconds.quotientRoundedDown(by: 86_400)
        let time = seconds - day * 86_400
        let date = CalendarDate(day: day)
        let weekday = days[Int(day - day.quotientRoundedDown(by: 7) * 7)]
        return "\(weekday), \(two(date.day)) \(months[Int(date.month) - 1]) \(four(date.year)) "
            + "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// Reads a time in any of the three forms; `nil` for anything else.
    ///
    /// `now` decides the century of a year of two digits: the one that makes it lie at most 50 years
    /// ahead.
    package static func seconds(_ text: String, now: Int64) -> Int64? {
        let words = text.split(separator: " ").map(String.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[5] == "GMT" && words[0].count == 4 && words[3].utf8.count == 4:
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where words[3] == "GMT" && words[0].hasSuffix("day,"):
            let date = words[1].split(separator: "-").map(String.init)
            guard date.count == 3, date[2].utf8.count == 2, let year = number(date[2]) else {
                return nil
            }
            let thisYear = CalendarDate(day: now.quotientRoundedDown(by: 86_400)).year
            var full = thisYear - thisYear % 100 + year
            if full > thisYear + 50 { full -= 100 }
            return seconds(day: date[0], month: date[1], year: four(full), time: words[2])
        // Sun Nov  6 08:49:37 1994
        case 5 where words[0].count == 3 && words[4].utf8.count == 4:
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static func seconds(
        day: String,
        month: String,
        year: String,
        time: String
    ) -> Int64? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map {
            $0.utf8.count == 2 ? number(String($0)) : nil
        }
        guard let place = months.firstIndex(of: month), let day = number(day),
            let year = number(year), year > 0, parts.count == 3, let hour = parts[0],
            let minute = parts[1], let second = parts[2], hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CalendarDate(year: year, month: Int64(place) + 1, day: day)
        // The 31st of April is a day of May, and no date that anybody wrote.
        guard CalendarDate(day: date.dayNumber) == date else { return nil }
        return date.dayNumber * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ text: String) -> Int64? {
        guard (1...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int64) -> String {
        String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
    }
}
