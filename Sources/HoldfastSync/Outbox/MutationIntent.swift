import Holdfast

/// What a write of a record is for the server, where that is not its new state.
enum MutationIntent: RecordedIntent {
    /// Numbers are added to fields.
    case delta(JSONObject)
    /// A handler of the server is called; what was written is a guess at what it will do.
    case action(name: String, arguments: JSONObject)
}
