/// How far long work on a store is.
public struct MaintenanceProgress: Hashable, Sendable {
    /// The bytes that are done.
    public var completed: UInt64
    /// The bytes that there are to do; `nil` while that is not known.
    public var total: UInt64?

    /// Describes a state of the work.
    public init(completed: UInt64 = 0, total: UInt64? = nil) {
        self.completed = completed
        self.total = total
    }

    /// Is told how far it is, from time to time, on the thread that works; what it throws ends the
    /// work.
    public typealias Handler = @Sendable (MaintenanceProgress) throws -> Void
}
