/// Records all over the store in a new form, which moves each in the index.
struct UpdateWorkload: Workload {
    private static let sizes = [1, 100]
    private static let most = 30_000

    let name = "updates"

    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure] {
        var figures: [Figure] = []
        for size in Self.sizes {
            var watch = Stopwatch()
            while watch.time < session.slice, watch.count < Self.most {
                let rows = try session.updates(size)
                try await watch.measure(rows.count) { try await session.engine.update(rows) }
            }
            let title = "random updates, \(size) a transaction"
            figures.append(.rate("update\(size)", title, watch.count, in: watch.time))
        }
        return figures
    }
}
