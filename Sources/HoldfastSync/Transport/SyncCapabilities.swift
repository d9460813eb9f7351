/// What a transport can carry; a schema that needs more is refused when the engine is made.
public struct SyncCapabilities: OptionSet, Sendable {
    /// The capabilities as bits.
    public let rawValue: Int

    /// Capabilities as bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Single fields can be changed.
    public static let patch = Self(rawValue: 1)
    /// Numbers can be added to fields.
    public static let delta = Self(rawValue: 2)
    /// Several mutations can be applied together or not at all.
    public static let group = Self(rawValue: 4)
    /// Handlers of the server can be called.
    public static let action = Self(rawValue: 8)
    /// Everything that the protocol has.
    public static let all: Self = [.patch, .delta, .group, .action]
}
