/// An app's answer for a record that waits for one.
public enum ConflictChoice: Hashable, Sendable {
    /// What is here stays where both sides changed a field.
    case local
    /// What the server has stays there.
    case remote
}
