/// How large a simulation is, and what happens in it.
public struct SimulationOptions: Hashable, Sendable {
    /// What may happen beside the app's own operations.
    public struct Hardships: OptionSet, Hashable, Sendable {
        /// The hardships as bits.
        public let rawValue: Int

        /// Hardships as bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Messages are lost, doubled and late; there is no network, or a captive portal.
        public static let network = Self(rawValue: 1)
        /// Processes are killed, and the power is lost, at any call of the disk.
        public static let crashes = Self(rawValue: 1 << 1)
        /// The clocks of devices are wrong, and jump.
        public static let clocks = Self(rawValue: 1 << 2)
        /// Disks are full for a while.
        public static let fullDisks = Self(rawValue: 1 << 3)
        /// The server fails, refuses and has no room for a while, and forgets what it may forget.
        public static let server = Self(rawValue: 1 << 4)
        /// Devices and the server are restored from backups.
        public static let backups = Self(rawValue: 1 << 5)
        /// Accounts lose scopes and get them back.
        public static let scopes = Self(rawValue: 1 << 6)
        /// Devices get the next version of the app.
        public static let upgrades = Self(rawValue: 1 << 7)

        /// All of them.
        public static let all: Self = [
            .network, .crashes, .clocks, .fullDisks, .server, .backups, .scopes, .upgrades,
        ]
    }

    /// The number of replicas.
    public var replicas: Int
    /// The number of operations that the persons at each replica do.
    public var operations: Int
    /// What may happen beside.
    public var hardships: Hardships
    /// Whether every message goes through its text, as over a network; slower.
    public var codesMessages: Bool

    /// Options; by default three replicas with 200 operations each, and every hardship.
    ///
    /// - Parameters:
    ///   - replicas: The number of replicas.
    ///   - operations: The number of operations at each.
    ///   - hardships: What may happen beside.
    ///   - codesMessages: Whether every message goes through its text.
    public init(
        replicas: Int = 3,
        operations: Int = 200,
        hardships: Hardships = .all,
        codesMessages: Bool = false
    ) {
        self.replicas = replicas
        self.operations = operations
        self.hardships = hardships
        self.codesMessages = codesMessages
    }
}
