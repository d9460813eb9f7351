import Holdfast

/// How a durable record's id is printed.
struct AcknowledgementStyle: Sendable {
    /// Whether it is an object for a program, or the id alone.
    let isJSON: Bool

    /// The line for an id, with its end.
    func line(_ id: RecordID) throws -> String {
        if !isJSON { return id.text + "\n" }
        let object: JSONObject = ["id": .string(id.text)]
        return String(decoding: try object.serialized(), as: UTF8.self) + "\n"
    }
}
