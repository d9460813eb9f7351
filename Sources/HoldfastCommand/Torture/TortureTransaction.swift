package import HoldfastStorage

/// One transaction that a child of `hold torture` commits.
package struct TortureTransaction: Sendable {
    /// What one operation does to its record.
    package enum Action: Hashable, Sendable {
        case put
        case delete
    }

    /// A record and what is done to it.
    package struct Operation: Hashable, Sendable {
        /// The record's number among its task's.
        package let record: Int
        /// What is done to it.
        package let action: Action
        /// The bytes of text that a put gives it.
        package let textBytes: Int
    }

    /// The level that it is committed at; all of them survive a kill.
    package let durability: Durability
    /// What it does, in order.
    package let operations: [Operation]
}
