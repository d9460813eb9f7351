/// How an API takes the change of some fields.
public enum RESTEdits: Hashable, Sendable {
    /// Not at all: the record is read, and written whole on the version that was read.
    case whole
    /// By `PATCH` with a merge patch (RFC 7396), where one can say it: it has no word for a field
    /// that is null, nor for an object in a field that is to be replaced.
    case mergePatch
}
