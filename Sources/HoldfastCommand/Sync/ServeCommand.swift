import Holdfast
import HoldfastNetwork
import HoldfastServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `hold serve`.
struct ServeCommand: Command {
    static let syntax = CommandSyntax(
        "serve",
        "serve a store to those who sync with it",
        positionals: [.required("STORE")],
        options: [
            .value("listen", "HOST:PORT", "where (127.0.0.1:8080); port 0: one that is free"),
            .value("token", "T=PRINCIPAL", repeats: true, "whoever sends token T is PRINCIPAL"),
            .value("token-file", "FILE", "lines T=PRINCIPAL; # begins a comment"),
            .flag("open", "everybody who reaches it may read and write everything"),
            .flag("restored", "the store comes from a backup: tell those who know more"),
            .flag("quiet", "no line for each request on standard error"),
        ],
        discussion: """
            The store is created when it is missing, and is from then on written through the \
            server alone. It speaks plain HTTP: for others than this machine put a proxy with TLS \
            before it, such as Caddy or nginx. A token on the command line can be seen by other \
            users of this machine; one in a file cannot. Everybody sees the same records. \
            GET /health says whether it works, GET /metrics counts for Prometheus. SIGTERM and \
            Ctrl-C finish the requests that are under way and close the store.
            """,
        example: "hold serve notes.holdfast --token secret=ada"
    )

    private let path: String
    private let host: String
    private let port: Int
    private let tokens: [String: Principal]
    private let tokenFile: String?
    private let isOpen: Bool
    private let isQuiet: Bool
    private let isRestored: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        (host, port) = try Self.address(arguments.value("listen") ?? "127.0.0.1:8080")
        var tokens: [String: Principal] = [:]
        for text in arguments.all("token") { try Self.add(text, to: &tokens) }
        self.tokens = tokens
        tokenFile = arguments.value("token-file")
        isOpen = arguments.has("open")
        isQuiet = arguments.has("quiet")
        isRestored = arguments.has("restored")
        let isClosed = !tokens.isEmpty || tokenFile != nil
        if isOpen == isClosed {
            throw UsageError("give --token T=PRINCIPAL or --token-file, or else --open")
        }
    }

    private static func address(_ text: String) throws(UsageError) -> (String, Int) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { throw UsageError("--listen takes HOST:PORT, not '\(text)'") }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { throw UsageError("--listen takes HOST:PORT, not '\(text)'") }
        return (host, Int(port))
    }

    /// Adds `T=PRINCIPAL`; a token may have a `=` in it, as Base64 has at its end.
    private static func add(
        _ text: String,
        to tokens: inout [String: Principal]
    ) throws(UsageError) {
        guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
            text.index(after: equals) < text.endIndex
        else { throw UsageError("--token takes T=PRINCIPAL") }
        tokens[String(text[..<equals])] = Principal(String(text[text.index(after: equals)...]))
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let authentication = isOpen ? Authentication.open() : .tokens(try allTokens())
        raiseDescriptorLimit()
        try await StoreSession.run(at: path, .create) { store in
            var configuration = ListenerConfiguration(authentication: authentication)
            configuration.host = host
            configuration.port = port
            if !isQuiet { configuration.accessLog = { Console.writeToStandardError($0.line) } }
            let server = try await SyncServer(store: store)
            if isRestored { try await server.beginEpoch() }
            let listener = try SyncListener(server, configuration)
            let shown = host.contains(":") ? "[\(host)]" : host
            console.message("serving \(path) at http://\(shown):\(listener.port)")
            if !["127.0.0.1", "localhost", "::1"].contains(host) {
                console.message("hold: warning: others than this machine can reach it, without TLS")
            }
            // Until a signal cancels the task.
            try? await Task.sleep(for: .seconds(Int64.max / 4))
            await listener.stop(grace: .seconds(2))
        }
        console.message("stopped; the store is closed")
        return wasTerminated() ? .done : .interrupted
    }

    private func allTokens() throws -> [String: Principal] {
        guard let tokenFile else { return tokens }
        var all = tokens
        var text: [UInt8] = []
        let file = try Descriptor(reading: tokenFile)
        while case let bytes = try file.read(atMost: 65_536), !bytes.isEmpty { text += bytes }
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        where !line.hasPrefix("#") {
            do throws(UsageError) { try Self.add(String(line), to: &all) } catch {
                throw Failure("\(tokenFile) has a line that is not T=PRINCIPAL")
            }
        }
        guard !all.isEmpty else { throw Failure("\(tokenFile) has no token") }
        return all
    }
}

extension AccessRecord {
    /// The record as a line of a log.
    fileprivate var line: String {
        let date = Date(timeIntervalSince1970: Double(time) / 1_000)
        let words = [
            date.ISO8601Format(), principal?.id ?? "-", method.isEmpty ? "-" : method,
            path.isEmpty ? "-" : path, "\(status)", "\(bytes)", duration.milliseconds,
        ]
        return words.map(\.withoutControls).joined(separator: " ") + "\n"
    }
}
