/// Mistakes that a simulation makes on purpose, to show that it finds them.
///
/// Outside of that the set is always empty.
package struct PlantedFaults: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ place: UInt32) { self.init(rawValue: 1 << place) }

    /// An answer ends every mutation of its record, not only the one that it names.
    package static let clearingWithoutCompare = Self(0)
    /// A mutation gets another key at each sending.
    package static let keyMintedOnSend = Self(1)
    /// The frozen mutations are committed `.buffered`: a request may leave before they are durable.
    package static let freezeNotDurable = Self(2)
    /// What the server has meanwhile is planned although the outcome of a sent mutation is unknown.
    package static let planningWhileUnknown = Self(3)
    /// A page's cursor is committed in a transaction of its own, before the page.
    package static let cursorBeforePage = Self(4)
    /// The mark of a local deletion goes when the deletion is acknowledged, not when its echo came.
    package static let tombstonePurgedAtAcknowledgement = Self(5)
    /// The server keeps a deferred result as if it were final.
    package static let deferredResultsStored = Self(6)
    /// A failed request counts against each of its mutations: after some they need attention.
    package static let retriesCountedPerMutation = Self(7)
    /// Two edits are merged as if the base were the server's new state: every local field wins.
    package static let mergeWithoutBase = Self(8)
    /// The sweep after a snapshot removes every unmarked clean record, also one that is newer.
    package static let sweepOfFreshRecords = Self(9)
    /// A server's state is taken although it is not newer than the base.
    package static let versionsNotCompared = Self(10)
    /// Only a trigger tries again after a failure: the machine asks for no wake-up.
    package static let retryOnTriggersAlone = Self(11)
    /// A failed request is sent again at once.
    package static let noBackoff = Self(12)
    /// `gone` removes a record although it has come to another scope.
    package static let goneFromAnyScope = Self(13)
    /// The server stores no results: a mutation that arrives twice has its effect twice.
    package static let resultsNotStored = Self(14)
    /// A device that was restored from a backup goes on with its old client id and numbers.
    package static let backupKeepsClient = Self(15)
    /// An edit that leads back to the base is dropped although another value is in flight.
    package static let editComparedWithBase = Self(16)
    /// Nothing is pulled as long as the last push has failed.
    package static let pullWaitsForPush = Self(17)
}

extension PlantedFaults: CaseIterable, CustomStringConvertible {
    /// The faults by their names, in the order in which a report shows them.
    package static let names: [(name: String, fault: Self)] = [
        ("clear without compare", clearingWithoutCompare),
        ("key minted on send", keyMintedOnSend),
        ("freeze not durable", freezeNotDurable),
        ("planning while an outcome is unknown", planningWhileUnknown),
        ("cursor saved before the page", cursorBeforePage),
        ("tombstone purged at the acknowledgement", tombstonePurgedAtAcknowledgement),
        ("deferred results stored", deferredResultsStored),
        ("retries counted per mutation", retriesCountedPerMutation),
        ("merge without base", mergeWithoutBase),
        ("sweep of fresh records", sweepOfFreshRecords),
        ("versions not compared", versionsNotCompared),
        ("retry on triggers alone", retryOnTriggersAlone),
        ("no backoff", noBackoff),
        ("gone from any scope", goneFromAnyScope),
        ("results not stored", resultsNotStored),
        ("backup keeps its client id", backupKeepsClient),
        ("edit compared with the base", editComparedWithBase),
        ("pull waits for push", pullWaitsForPush),
    ]

    /// Every fault alone.
    package static var allCases: [Self] { names.map(\.fault) }

    /// The names of those in the set.
    package var description: String {
        Self.names.filter { contains($0.fault) }.map(\.name).joined(separator: ", ")
    }
}
