import HoldfastCommand

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A terminal without a screen: what a program writes to it can be read back.
final class PseudoTerminal: Sendable {
    /// What the program writes to.
    let program: Descriptor
    private let screen: Descriptor

    init(columns: UInt16) throws {
        var number: Int32 = -1
        var slave: Int32 = -1
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe openpty(&number, &slave, nil, nil, &size) == 0 else {
            throw Failure("there is no pseudo terminal")
        }
        for descriptor in [number, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        screen = Descriptor(number: number, name: "the screen")
        program = Descriptor(number: slave, name: "the terminal")
    }

    /// What was written so far, once the program has ended; line ends are those of files.
    func text() throws -> String {
        program.close()
        var bytes: [UInt8] = []
        // When no program is left, Linux ends the stream with an error.
        while let more = try? screen.read(atMost: 4_096), !more.isEmpty { bytes += more }
        return String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self)
    }
}
