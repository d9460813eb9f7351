import Holdfast

/// What `hold torture sync` has seen.
struct SyncTortureReport {
    var seed: UInt64 = 0
    var edits = 0
    var syncs = 0
    var killedClients = 0
    var killedServers = 0
    var connections = 0
    var records = 0
    /// Acknowledged fields that are not on the server in the end.
    var lost = 0
    /// Clients whose records are not the server's in the end.
    var unequal = 0
    /// Syncs that did not end well although nothing stood in their way.
    var unsynced = 0
    var elapsed = Duration.zero
    /// Where the stores are, which are kept when something was lost.
    var directory = ""

    var kills: Int { killedClients + killedServers }

    var isGood: Bool { lost == 0 && unequal == 0 && unsynced == 0 }

    /// For a program.
    var object: JSONObject {
        [
            "edits": .integer(Int64(edits)), "syncs": .integer(Int64(syncs)),
            "killedClients": .integer(Int64(killedClients)),
            "killedServers": .integer(Int64(killedServers)),
            "connections": .integer(Int64(connections)), "records": .integer(Int64(records)),
            "lost": .integer(Int64(lost)), "unequal": .integer(Int64(unequal)),
            "unsynced": .integer(Int64(unsynced)), "seconds": .double(elapsed.seconds),
            "seed": .string(String(seed)),
        ]
    }

    /// For a person.
    func lines(_ style: TerminalStyle?) -> [String] {
        func must(_ count: Int) -> String {
            let text = "\(count.grouped) (must be 0)"
            return style?.paint(text, count == 0 ? .good : .bad) ?? text
        }
        var lines = [
            "edits         \(edits.grouped), each acknowledged",
            "syncs         \(syncs.grouped) over \(connections.grouped) connections",
            "killed        \(killedClients.grouped) clients, \(killedServers.grouped) servers",
            "records       \(records.grouped)",
            "lost          \(must(lost))",
            "unequal       \(must(unequal))",
            "not synced    \(must(unsynced))",
            "time          \(elapsed.seconds.rounded1) s",
            "seed          \(seed)",
        ]
        if !isGood { lines.append("stores        \(directory)") }
        return lines
    }
}
