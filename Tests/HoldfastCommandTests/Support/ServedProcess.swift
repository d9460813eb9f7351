import HoldfastCommand
import HoldfastNetwork
import Testing

/// `hold serve`, as a process of its own.
final class ServedProcess {
    let child: ChildProcess
    let errors: Descriptor
    let url: String

    init(
        _ hold: Hold,
        store: String = "server",
        port: Int = 0,
        _ access: [String] = ["--token", "secret=ada"]
    ) throws {
        let pipe = try Pipe()
        child = try hold.start(
            ["serve", hold.path(store), "--listen", "127.0.0.1:\(port)"] + access,
            errors: pipe.writeEnd
        )
        pipe.writeEnd.close()
        errors = pipe.readEnd
        var text = ""
        while !text.contains("\n") {
            let bytes = try errors.read(atMost: 4_096)
            try #require(!bytes.isEmpty, "the server ended: \(text)")
            text += String(decoding: bytes, as: UTF8.self)
        }
        let line = try #require(text.split(separator: "\n").first)
        url = String(try #require(line.split(separator: " ").last))
    }

    var port: Int { get throws { try ServerURL(url).port } }

    func kill() throws {
        child.kill()
        _ = try child.wait()
    }

    deinit {
        child.kill()
        _ = try? child.wait()
    }
}
