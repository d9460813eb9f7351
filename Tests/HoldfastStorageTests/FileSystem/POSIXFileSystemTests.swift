import HoldfastStorage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct POSIXFileSystemTests {
    private let system = POSIXFileSystem()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func whatIsWrittenIsReadBackThroughAnyHandle() throws {
        let bytes = noise(count: 10_000)
        let writer = try system.open(directory("data"), .createNew)
        try writer.write(bytes, at: 500)
        let reader = try system.open(directory("data"), .read)
        #expect(try reader.read(count: 20_000, at: 0) == [UInt8](repeating: 0, count: 500) + bytes)
        #expect(try reader.size() == 10_500)
        #expect(try reader.identity() == writer.identity())
        #expect(reader.path == directory("data"))
    }

    @Test func createNewRefusesATakenNameAndReadNeedsOne() throws {
        let name = directory("data")
        #expect(throws: error("open", name, .notFound)) { try system.open(name, .read) }
        #expect(throws: error("open", name, .notFound)) { try system.open(name, .readWrite) }
        #expect(try system.kind(of: name) == nil)
        let first = try system.open(name, .createIfMissing)
        #expect(throws: error("open", name, .exists)) { try system.open(name, .createNew) }
        #expect(try system.open(name, .createIfMissing).identity() == first.identity())
    }

    @Test func aFileForReadingCannotBeWritten() throws {
        _ = try system.open(directory("data"), .createNew)
        let reader = try system.open(directory("data"), .read)
        #expect(throws: error("pwrite", reader.path, .badDescriptor)) {
            try reader.write([1], at: 0)
        }
    }

    @Test func onlyTheOwnerMayReadWhatIsCreated() throws {
        let old = umask(0)
        defer { umask(old) }
        try system.createDirectory(directory("inner"))
        _ = try system.open(directory("inner/data"), .createNew)
        #expect(try mode(of: directory("inner")) == 0o700)
        #expect(try mode(of: directory("inner/data")) == 0o600)
    }

    @Test func setSizeCutsAndExtendsWithZeros() throws {
        let file = try system.open(directory("data"), .createNew)
        try file.write([1, 2, 3, 4], at: 0)
        try file.setSize(2)
        try file.setSize(6)
        #expect(try file.read(count: 10, at: 0) == [1, 2, 0, 0, 0, 0])
    }

    @Test func allocationExtendsWithZerosAndNeverCuts() throws {
        let file = try system.open(directory("data"), .createNew)
        try file.write([1, 2, 3, 4], at: 0)
        try file.allocate(upTo: 2)
        #expect(try file.read(count: 10, at: 0) == [1, 2, 3, 4])
        try file.allocate(upTo: 8_192)
        #expect(try file.size() == 8_192)
        #expect(try file.read(count: 6, at: 0) == [1, 2, 3, 4, 0, 0])
    }

    @Test func syncAndBarrierSucceedOnAFileAndSyncOnADirectory() throws {
        let file = try system.open(directory("data"), .createNew)
        try file.sync()
        try file.barrier()
        try system.syncDirectory(directory.path)
        #expect(throws: error("open", directory("none"), .notFound)) {
            try system.syncDirectory(directory("none"))
        }
        #expect(throws: error("open", directory("data"), .notADirectory)) {
            try system.syncDirectory(directory("data"))
        }
    }

    @Test func directoriesAreListedAndNamesMoveAndGo() throws {
        let names = ["a", "b", "é", String(repeating: "n", count: 255)]
        for name in names { _ = try system.open(directory(name), .createNew) }
        #expect(try Set(system.list(directory.path)) == Set(names))
        try system.rename(directory("a"), to: directory("b"))
        try system.unlink(directory("é"))
        #expect(try Set(system.list(directory.path)) == ["b", names[3]])
        #expect(throws: error("unlink", directory("é"), .notFound)) {
            try system.unlink(directory("é"))
        }
        #expect(throws: error("rename", directory("a"), .notFound)) {
            try system.rename(directory("a"), to: directory("c"))
        }
        #expect(throws: error("opendir", directory("none"), .notFound)) {
            try system.list(directory("none"))
        }
    }

    @Test func aNameThatIsNoUTF8IsListedWithoutATrap() throws {
        let path = Array(directory.path.utf8CString.dropLast()) + [47, -1, -2, 0]
        let descriptor = unsafe creat(path, 0o600)
        try #require(descriptor >= 0)
        _ = close(descriptor)
        #expect(try system.list(directory.path) == ["\u{FFFD}\u{FFFD}"])
    }

    @Test func kindsAreTold() throws {
        _ = try system.open(directory("file"), .createNew)
        try system.createDirectory(directory("directory"))
        _ = unsafe symlink(directory("directory"), directory("link"))
        _ = unsafe mkfifo(directory("pipe"), 0o600)
        #expect(try system.kind(of: directory("file")) == .file)
        #expect(try system.kind(of: directory("directory")) == .directory)
        #expect(try system.kind(of: directory("link")) == .directory)
        #expect(try system.kind(of: directory("pipe")) == .other)
        #expect(throws: error("stat", directory("file/x"), .notADirectory)) {
            try system.kind(of: directory("file/x"))
        }
        #expect(throws: error("mkdir", directory("file"), .exists)) {
            try system.createDirectory(directory("file"))
        }
    }

    @Test func offsetsThatNoFileHasAreRefused() throws {
        let file = try system.open(directory("data"), .createNew)
        #expect(throws: error("pread", file.path, .invalidArgument)) {
            try file.read(count: 1, at: .max)
        }
        #expect(throws: error("ftruncate", file.path, .invalidArgument)) { try file.setSize(.max) }
    }

    private func error(
        _ call: String,
        _ path: String,
        _ errno: SystemErrorNumber
    ) -> SystemCallError {
        SystemCallError(call: call, path: path, errno: errno)
    }

    private func mode(of path: String) throws -> UInt32 {
        var status = stat()
        try #require(unsafe stat(path, &status) == 0)
        return UInt32(status.st_mode) & 0o777
    }
}
