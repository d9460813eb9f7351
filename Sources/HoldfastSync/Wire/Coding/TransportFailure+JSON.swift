package import Holdfast

extension SyncProblem {
    /// The body of a refusal: the problem, its HTTP status, and who refused.
    package func refusal(status: Int, dataset: DatasetID, epoch: EpochID) -> JSONObject {
        var object: JSONObject = [
            "dataset": .string(dataset.text), "epoch": .string(epoch.text),
            "status": .integer(Int64(status)),
        ]
        for (name, value) in json { object[name] = value }
        return object
    }
}

extension TransportFailure {
    /// The failure that a refusal's body tells; `.foreign` where it is not the server's.
    package init(status: Int, body: JSONObject?, retryAfter: Duration? = nil) {
        guard let body, (try? WireReader(body).dataset) != nil else {
            self.init(.foreign, retryAfter: retryAfter)
            return
        }
        self.init(
            .refused(status: status),
            problem: try? SyncProblem(json: body),
            retryAfter: retryAfter
        )
    }
}
