import HoldfastStorage
import HoldfastTesting
import Testing

/// What holds for the operating system's files and for the simulated disk alike.
@Suite struct FileSystemTests {
    /// Both, each with an empty directory.
    enum Kind: CaseIterable {
        case posix, simulated
    }

    private struct World {
        let system: any FileSystem
        let root: String
        let temporary: TemporaryDirectory?

        init(_ kind: Kind) throws {
            switch kind {
            case .posix:
                let directory = try TemporaryDirectory()
                (system, root, temporary) = (POSIXFileSystem(), directory.path, directory)
            case .simulated:
                (system, root, temporary) = (SimulatedDisk(), "root", nil)
                try system.createDirectory(root)
            }
        }

        func callAsFunction(_ name: String) -> String { root + "/" + name }
    }

    @Test(arguments: Kind.allCases)
    func whatIsWrittenIsReadBackThroughAnyHandle(kind: Kind) throws {
        let world = try World(kind)
        let bytes = noise(count: 10_000)
        let writer = try world.system.open(world("data"), .createNew)
        try writer.write(bytes, at: 500)
        let reader = try world.system.open(world("data"), .read)
        #expect(try reader.read(count: 20_000, at: 0) == [UInt8](repeating: 0, count: 500) + bytes)
        #expect(try reader.read(count: 100, at: 4_090) == Array(bytes[3_590..<3_690]))
        #expect(try reader.size() == 10_500)
        #expect(reader.path == world("data"))
    }

    @Test(arguments: Kind.allCases)
    func aSecondNameIsTheSameFileAndOnlyEmptyDirectoriesGo(kind: Kind) throws {
        let world = try World(kind)
        let (name, directory) = (world("data"), world("other"))
        try world.system.createDirectory(directory)
        let file = try world.system.open(name, .createNew)
        try file.write(noise(count: 100), at: 0)
        try world.system.link(name, to: directory + "/second")
        try file.write(noise(count: 300), at: 0)
        #expect(try world.system.open(directory + "/second", .read).size() == 300)
        expect(.exists, name) { try world.system.link(name, to: directory + "/second") }
        expect(.notFound, world("none")) { try world.system.link(world("none"), to: world("x")) }
        expect(.notEmpty, directory) { try world.system.removeDirectory(directory) }
        try world.system.unlink(name)
        #expect(try world.system.open(directory + "/second", .read).size() == 300)
        try world.system.rename(directory, to: world("renamed"))
        try world.system.unlink(world("renamed/second"))
        try world.system.removeDirectory(world("renamed"))
        #expect(try world.system.list(world.root).isEmpty)
    }

    @Test(arguments: Kind.allCases)
    func createNewRefusesATakenNameAndReadNeedsOne(kind: Kind) throws {
        let world = try World(kind)
        let name = world("data")
        expect(.notFound, name) { try world.system.open(name, .read) }
        expect(.notFound, name) { try world.system.open(name, .readWrite) }
        #expect(try world.system.kind(of: name) == nil)
        let first = try world.system.open(name, .createIfMissing)
        try first.setSize(7)
        expect(.exists, name) { try world.system.open(name, .createNew) }
        #expect(try world.system.open(name, .createIfMissing).size() == 7)
        expect(.notADirectory, name + "/x") { try world.system.open(name + "/x", .createNew) }
        expect(.notFound, world("none/x")) { try world.system.open(world("none/x"), .createNew) }
        expect(.isADirectory, world.root) { try world.system.open(world.root, .readWrite) }
    }

    @Test(arguments: Kind.allCases)
    func aFileForReadingCannotBeWritten(kind: Kind) throws {
        let world = try World(kind)
        _ = try world.system.open(world("data"), .createNew)
        let reader = try world.system.open(world("data"), .read)
        expect(.badDescriptor, reader.path) { try reader.write([1], at: 0) }
    }

    @Test(arguments: Kind.allCases)
    func setSizeCutsAndExtendsWithZeros(kind: Kind) throws {
        let world = try World(kind)
        let file = try world.system.open(world("data"), .createNew)
        try file.write([1, 2, 3, 4], at: 0)
        try file.setSize(2)
        try file.setSize(6)
        #expect(try file.contents() == [1, 2, 0, 0, 0, 0])
        try file.write(noise(count: 9_000), at: 0)
        try file.setSize(4_096)
        try file.setSize(5_000)
        #expect(try file.contents() == noise(count: 4_096) + [UInt8](repeating: 0, count: 904))
    }

    @Test(arguments: Kind.allCases)
    func allocationExtendsWithZerosAndNeverCuts(kind: Kind) throws {
        let world = try World(kind)
        let file = try world.system.open(world("data"), .createNew)
        try file.write([1, 2, 3, 4], at: 0)
        try file.allocate(upTo: 2)
        #expect(try file.contents() == [1, 2, 3, 4])
        try file.allocate(upTo: 8_192)
        #expect(try file.size() == 8_192)
        #expect(try file.read(count: 6, at: 0) == [1, 2, 3, 4, 0, 0])
    }

    @Test(arguments: Kind.allCases)
    func syncAndBarrierSucceedOnAFileAndSyncOnADirectory(kind: Kind) throws {
        let world = try World(kind)
        let file = try world.system.open(world("data"), .createNew)
        try file.sync()
        try file.barrier()
        try world.system.syncDirectory(world.root)
        expect(.notFound, world("none")) { try world.system.syncDirectory(world("none")) }
        expect(.notADirectory, world("data")) { try world.system.syncDirectory(world("data")) }
    }

    @Test(arguments: Kind.allCases)
    func directoriesAreListedAndNamesMoveAndGo(kind: Kind) throws {
        let world = try World(kind)
        let names = ["a", "b", "é", String(repeating: "n", count: 255)]
        for name in names { try world.system.open(world(name), .createNew).write([1], at: 0) }
        #expect(try Set(world.system.list(world.root)) == Set(names))
        try world.system.rename(world("a"), to: world("b"))
        try world.system.unlink(world("é"))
        #expect(try Set(world.system.list(world.root)) == ["b", names[3]])
        expect(.notFound, world("é")) { try world.system.unlink(world("é")) }
        expect(.notFound, world("a")) { try world.system.rename(world("a"), to: world("c")) }
        expect(.notFound, world("none")) { try world.system.list(world("none")) }
        expect(.notADirectory, world("b")) { try world.system.list(world("b")) }
    }

    @Test(arguments: Kind.allCases)
    func aFileWithoutANameLivesUntilItIsClosed(kind: Kind) throws {
        let world = try World(kind)
        let file = try world.system.open(world("data"), .createNew)
        try file.write([1, 2], at: 0)
        try world.system.unlink(world("data"))
        try world.system.open(world("data"), .createNew).write([3], at: 0)
        #expect(try file.contents() == [1, 2])
        try world.system.open(world("new"), .createNew).write([4], at: 0)
        try world.system.rename(world("new"), to: world("data"))
        #expect(try world.system.open(world("data"), .read).contents() == [4])
    }

    @Test(arguments: Kind.allCases)
    func kindsAreTold(kind: Kind) throws {
        let world = try World(kind)
        _ = try world.system.open(world("file"), .createNew)
        try world.system.createDirectory(world("directory"))
        #expect(try world.system.kind(of: world("file")) == .file)
        #expect(try world.system.kind(of: world("directory")) == .directory)
        #expect(try world.system.kind(of: world("none/x")) == nil)
        expect(.notADirectory, world("file/x")) { try world.system.kind(of: world("file/x")) }
        expect(.exists, world("file")) { try world.system.createDirectory(world("file")) }
    }

    @Test(arguments: Kind.allCases)
    func locksExcludeByOpenFile(kind: Kind) throws {
        let world = try World(kind)
        let first = try world.system.open(world("lock"), .createNew)
        let second = try world.system.open(world("lock"), .readWrite)
        #expect(try first.tryLock(.shared))
        #expect(try second.tryLock(.shared))
        #expect(try first.tryLock(.exclusive) == false)
        try second.unlock()
        #expect(try first.tryLock(.exclusive))
        #expect(try first.tryLock(.exclusive))
        #expect(try second.tryLock(.shared) == false)
        try first.unlock()
        #expect(try second.tryLock(.exclusive))
    }

    @Test(arguments: Kind.allCases)
    func everyCallAfterCloseIsABadDescriptor(kind: Kind) throws {
        let world = try World(kind)
        let file = try world.system.open(world("data"), .createNew)
        file.close()
        file.close()
        expect(.badDescriptor, file.path) { try file.size() }
        expect(.badDescriptor, file.path) { try file.read(count: 1, at: 0) }
        expect(.badDescriptor, file.path) { try file.write([1], at: 0) }
        expect(.badDescriptor, file.path) { try file.setSize(1) }
        expect(.badDescriptor, file.path) { try file.allocate(upTo: 1) }
        expect(.badDescriptor, file.path) { try file.sync() }
        expect(.badDescriptor, file.path) { try file.barrier() }
        expect(.badDescriptor, file.path) { try file.tryLock(.shared) }
        expect(.badDescriptor, file.path) { try file.unlock() }
    }

    @Test(arguments: Kind.allCases)
    func offsetsThatNoFileHasAreRefused(kind: Kind) throws {
        let world = try World(kind)
        let file = try world.system.open(world("data"), .createNew)
        expect(.invalidArgument, file.path) { try file.read(count: 1, at: .max) }
        expect(.invalidArgument, file.path) { try file.setSize(.max) }
    }

    private func expect<Value>(
        _ errno: SystemErrorNumber,
        _ path: String,
        _ body: () throws -> Value,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: SystemCallError.self, sourceLocation: sourceLocation) {
            _ = try body()
        }
        #expect(error?.errno == errno, sourceLocation: sourceLocation)
        #expect(error?.path == path, sourceLocation: sourceLocation)
    }
}
