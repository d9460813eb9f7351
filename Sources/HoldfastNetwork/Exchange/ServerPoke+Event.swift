import Holdfast
package import HoldfastSync

extension ServerPoke {
    /// The hint that an event of the feed gives; `nil` for a kind that a newer server may know.
    package init?(_ event: ServerEvent) {
        switch event.name {
        case "poke": self = .poke(Self.scopes(event.data))
        case "ping": self = .ping
        case "resync": self = .resync
        default: return nil
        }
    }

    /// The event that gives the hint.
    package var event: ServerEvent {
        switch self {
        case .poke(let scopes):
            return ServerEvent(name: "poke", data: Self.data(scopes))
        case .ping: return ServerEvent(name: "ping", data: "{}")
        case .resync: return ServerEvent(name: "resync", data: "{}")
        }
    }

    private static func data(_ scopes: Set<ScopeName>) -> String {
        let names = scopes.sorted { $0.text < $1.text }
        let object: JSONObject = scopes.isEmpty ? [:] : ["scopes": names.json]
        return (try? object.serialized()).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The scopes that a poke names; none, which means any, where it cannot be read.
    private static func scopes(_ data: String) -> Set<ScopeName> {
        guard let object = try? JSONObject(parsingMessage: Array(data.utf8)),
            let names = try? WireReader(object).names("scopes", atMost: WireLimits.nameBytes)
        else { return [] }
        return Set(names.map { ScopeName($0) })
    }
}
