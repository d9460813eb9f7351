import HoldfastStorage
import HoldfastTesting
import Testing

/// Scenario C20: a file-by-file copy that was taken while commits ran.
///
/// Files are copied one after the other, each at a later moment than the one before it, and long
/// ones in parts. The copy opens as a state that the store once had, or a named error says that it
/// is none: never a mix.
@Suite struct CopyScenarioTests {
    private static let partBytes = 4_096

    /// A store at work: what its disk held at many moments, and what it held after each commit.
    private struct Recording {
        var moments: [[String: [UInt8]]] = []
        var states: [[String: String]] = [[:]]
    }

    private static func record(isReopened: Bool) async throws -> Recording {
        let store = TestStore()
        var recording = Recording()
        var storage = try await store.open()
        func note() throws {
            recording.moments.append(try store.files())
            recording.states.append(try storage.contents())
        }
        recording.moments.append(try store.files())
        for number in 1...24 {
            let value = TestStore.filler(number) + String(repeating: "y", count: 300)
            try await storage.put(value, for: "key \(number % 5)")
            try note()
            await store.scheduler.run(for: number % 3 == 0 ? .milliseconds(20) : .zero)
            recording.moments.append(try store.files())
            if isReopened, number % 10 == 0 {
                try await storage.close()
                recording.moments.append(try store.files())
                storage = try await store.open()
                recording.moments.append(try store.files())
            }
        }
        return recording
    }

    /// A copy whose parts are of moments that only go forward.
    private static func copy(
        _ names: [String],
        of recording: Recording,
        _ random: inout SplitMix64
    ) throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        try disk.createDirectory(TestStore.path)
        var moment = random.next(below: recording.moments.count)
        // Half the copies are quick, as compared with the commits.
        let haste = random.next(below: 2) == 0 ? 6 : 1
        for name in names {
            var bytes: [UInt8] = []
            while let file = recording.moments[moment][name], bytes.count < file.count {
                bytes += file[bytes.count...].prefix(partBytes)
                let left = recording.moments.count - moment
                if random.next(below: haste) == 0 { moment += random.next(below: min(left, 4)) }
            }
            if recording.moments[moment][name] != nil { try disk.replace(name, with: bytes) }
        }
        return disk
    }

    /// Whether the copy opened; then it was a state that the store once had.
    private static func check(_ disk: SimulatedDisk, _ recording: Recording) async throws -> Bool {
        let copy = TestStore(disk)
        let named: [StorageError.Code] = [.corruption, .notAStore, .notFound]
        do {
            let storage = try await copy.open()
            let number = Int(try storage.snapshot().sequenceNumber.rawValue)
            #expect(try storage.contents() == recording.states[number])
            try await storage.put("more", for: "one more")
            try await storage.close()
            let again = try await copy.open().contents()
            #expect(again == recording.states[number].merging(["one more": "more"]) { $1 })
            return true
        } catch let error as StorageError where named.contains(error.code) {
            return false
        }
    }

    @Test(arguments: [false, true], [1, 2] as [UInt64])
    func aCopyInAnyOrderOfFilesIsAStateThatWasOrANamedError(
        isReopened: Bool,
        seed: UInt64
    ) async throws {
        let recording = try await Self.record(isReopened: isReopened)
        let names = Set(recording.moments.flatMap(\.keys)).sorted()
        #expect(names.count >= 4)
        var random = SplitMix64(seed: seed)
        var opened = 0
        for _ in 0..<400 {
            let disk = try Self.copy(names.shuffled(using: &random), of: recording, &random)
            if try await Self.check(disk, recording) { opened += 1 }
        }
        #expect(opened > 10)
    }

    /// As `cp -r` and its like do, which go by names.
    @Test(arguments: [true, false])
    func aCopyInOneOrderFromAnyMomentIsAStateThatWasOrANamedError(isForward: Bool) async throws {
        let recording = try await Self.record(isReopened: false)
        let names = Set(recording.moments.flatMap(\.keys)).sorted()
        var random = SplitMix64(seed: 3)
        for _ in 0..<200 {
            let order = isForward ? names : names.reversed()
            let disk = try Self.copy(order, of: recording, &random)
            _ = try await Self.check(disk, recording)
        }
    }

    @Test func nothingIsRestoredOverAStoreThatIsThere() async throws {
        let store = try await TestStore.filled()
        let other = TestStore.path + "2"
        var configuration = store.configuration
        let open = try await JournalStorage.open(at: other, configuration: configuration)
        try await open.put("value", for: "key")
        configuration.fileSystem = store.disk
        let before = try store.disk.contents(of: other + "/identity")
        let code = await code {
            _ = try await JournalSalvage.salvage(
                from: TestStore.path,
                to: other,
                configuration: configuration
            )
        }
        #expect(code == .alreadyExists)
        #expect(try store.disk.contents(of: other + "/identity") == before)
        #expect(try open.value(for: "key") == "value")
    }
}
