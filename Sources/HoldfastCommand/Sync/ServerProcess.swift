import HoldfastNetwork
import HoldfastStorage

/// `hold serve` as a process of its own, open to everybody on this machine.
struct ServerProcess {
    let child: ChildProcess
    let port: Int
    /// Kept open: a server whose messages nobody can take would end.
    private let errors: Descriptor

    /// Starts this very program, and returns when it listens.
    ///
    /// - Throws: ``Failure`` with what it said.
    init(store: String, port: Int = 0) throws {
        guard let executable = ownExecutable() else {
            throw Failure("this program's own path is unknown; is /proc mounted?")
        }
        let pipe = try Pipe()
        let arguments = ["serve", store, "--open", "--quiet", "--listen", "127.0.0.1:\(port)"]
        child = try ChildProcess(executable, arguments: arguments, errors: pipe.writeEnd)
        errors = pipe.readEnd
        pipe.writeEnd.close()
        var text = ""
        while !text.contains("\n") {
            let bytes = try pipe.readEnd.read(atMost: 4_096)
            if bytes.isEmpty { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        let url = text.split(whereSeparator: \.isNewline).first?.split(separator: " ").last
        guard let url, let parsed = try? ServerURL(String(url)) else {
            child.kill()
            _ = try? child.wait()
            throw Failure("the server did not start: \(text)")
        }
        self.port = parsed.port
    }

    /// Ends it at once.
    func kill() throws {
        child.kill()
        try child.wait()
    }

    /// Ends it as those who stop services do.
    func stop() throws {
        child.terminate()
        try child.wait()
    }

    /// Its resident memory in bytes; `nil` where the system does not say.
    var memory: Int? { residentMemory(of: child) }
}
