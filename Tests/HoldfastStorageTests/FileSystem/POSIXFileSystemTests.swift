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

    @Test func onlyTheOwnerMayReadWhatIsCreated() throws {
        try system.createDirectory(directory("inner"))
        _ = try system.open(directory("inner/data"), .createNew)
        #expect(try mode(of: directory("inner")) == 0o700)
        #expect(try mode(of: directory("inner/data")) == 0o600)
    }

    @Test func aNameThatIsNoUTF8IsListedWithoutATrap() throws {
        let path = Array(directory.path.utf8CString.dropLast()) + [47, -1, -2, 0]
        let descriptor = unsafe creat(path, 0o600)
        try #require(descriptor >= 0)
        _ = close(descriptor)
        #expect(try system.list(directory.path) == ["\u{FFFD}\u{FFFD}"])
    }

    @Test func aPipeUnderAFilesNameIsAnErrorAndNoWait() throws {
        _ = unsafe mkfifo(directory("pipe"), 0o600)
        let pipe = try system.open(directory("pipe"), .read)
        #expect(throws: SystemCallError.self) { try pipe.read(count: 1, at: 0) }
    }

    @Test func linksAreFollowedAndOddKindsAreTold() throws {
        _ = unsafe symlink(directory.path, directory("link"))
        _ = unsafe symlink(directory("none"), directory("dangling"))
        _ = unsafe mkfifo(directory("pipe"), 0o600)
        #expect(try system.kind(of: directory("link")) == .directory)
        #expect(try system.kind(of: directory("dangling")) == nil)
        #expect(try system.kind(of: directory("pipe")) == .other)
    }

    @Test func anErrorNamesTheCallThePathAndTheReason() {
        let error = #expect(throws: SystemCallError.self) {
            try system.open(directory("none"), .read)
        }
        #expect(error?.description == "open \(directory("none")): No such file or directory")
    }

    private func mode(of path: String) throws -> UInt32 {
        var status = stat()
        let result = unsafe stat(path, &status)
        try #require(result == 0)
        return UInt32(status.st_mode) & 0o777
    }
}
