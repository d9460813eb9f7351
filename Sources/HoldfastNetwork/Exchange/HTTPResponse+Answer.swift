package import Holdfast
package import HoldfastSync

extension HTTPResponse {
    /// The answer that the response is, read by `decode`.
    ///
    /// - Parameters:
    ///   - now: The client's clock, in seconds since 1970, for a `Retry-After` whose response says
    ///     no time of its own.
    ///   - decode: Reads the answer.
    /// - Returns: The answer.
    /// - Throws: `TransportFailure` `.foreign` where the response is not the server's, whatever its
    ///   status; `.refused`, or `.invalid` where it breaks the protocol.
    package func answer<Answer>(
        now: Int64,
        _ decode: (JSONObject) throws(WireError) -> Answer
    ) throws(TransportFailure) -> Answer {
        let object = try? JSONObject(parsingMessage: body)
        guard head.status == 200 else {
            throw TransportFailure(
                status: head.status,
                body: object,
                retryAfter: RetryAfter.delay(head.headers, now: now)
            )
        }
        // A captive portal answers 200 too, with a page of its own.
        guard let object, (try? WireReader(object).dataset) != nil else {
            throw TransportFailure(.foreign)
        }
        do throws(WireError) {
            return try decode(object)
        } catch {
            throw TransportFailure(.invalid)
        }
    }
}
