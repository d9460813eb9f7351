/// Makes an input that fails a check smaller, while it still fails: what is left is easier to read.
///
/// It is greedy: it takes the first of the simpler inputs that still fails, and goes on from there
/// until none of them does. With candidates in the order from bold to careful that is a local
/// minimum: no single step makes it simpler.
package struct Shrinker<Input: Sendable>: Sendable {
    private let limit: Int
    private let candidates: @Sendable (Input) -> [Input]

    /// A shrinker that tries at most `limit` inputs.
    ///
    /// - Parameters:
    ///   - limit: The greatest number of inputs to try.
    ///   - candidates: Inputs that are simpler than the given one, the boldest first.
    package init(limit: Int = 2_000, candidates: @escaping @Sendable (Input) -> [Input]) {
        self.limit = limit
        self.candidates = candidates
    }

    /// The simplest input that was found to fail.
    ///
    /// - Parameters:
    ///   - input: An input that fails.
    ///   - fails: Whether an input fails.
    /// - Returns: An input that fails, of which no candidate was found to fail.
    package func shrink(
        _ input: Input,
        while fails: (Input) async throws -> Bool
    ) async rethrows -> Input {
        var smallest = input
        var left = limit
        var isShrinking = true
        while isShrinking {
            isShrinking = false
            for candidate in candidates(smallest) where left > 0 {
                left -= 1
                guard try await fails(candidate) else { continue }
                smallest = candidate
                isShrinking = true
                break
            }
        }
        return smallest
    }
}

extension Array {
    /// This array with parts of it left out: halves, quarters and so on to single elements.
    package var shortened: [[Element]] {
        var results: [[Element]] = []
        var size = count
        while size > 0 {
            for start in stride(from: 0, to: count, by: size) {
                results.append(Array(self[..<start] + self[Swift.min(start + size, count)...]))
            }
            size /= 2
        }
        return results
    }
}
