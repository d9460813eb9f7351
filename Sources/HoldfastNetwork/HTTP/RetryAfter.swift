/// How long a server asks to wait (RFC 9110, 10.2.3).
package enum RetryAfter {
    private static let longest: Int64 = 365 * 86_400

    /// The delay that a response asks for; `nil` where it asks for none that can be read.
    ///
    /// A date is compared with the response's own `Date`: a client whose clock is a day off would
    /// wait a day otherwise. `now` is that clock, in seconds since 1970, for a response without one.
    package static func delay(_ headers: HTTPHeaders, now: Int64) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard !text.isEmpty else { return nil }
            return .seconds(min(Int64(text) ?? longest, longest))
        }
        guard let date = HTTPDate.seconds(text, now: now) else { return nil }
        let sent = headers["Date"].flatMap { HTTPDate.seconds($0, now: now) } ?? now
        return .seconds(min(max(date - sent, 0), longest))
    }
}
