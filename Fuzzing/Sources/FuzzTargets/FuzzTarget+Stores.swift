import HoldfastStorage
import HoldfastTesting

extension FuzzTarget {
    private static let workload: [CrashOperation] = [
        .put(1, length: 60), .put(2, length: 200), .put(3, length: 300), .delete(1),
        .put(2, length: 300), .commit([.put(key: 4, length: 8), .put(key: 5, length: 8)], .synced),
        .put(6),
    ]

    /// One edit in each file, at places that mean something.
    private static let edits: [[UInt8]] = (0..<6).flatMap { file -> [[UInt8]] in
        [16, 48, 64, 4_096, 8_192, 8_200, 8_220, 8_240, 8_260, 8_500].map { offset in
            FileEdits.edit(UInt8(offset % 5), file: file, at: offset, value: UInt8(offset & 0xFF))
        }
    }

    /// What the store can be told to do, it does.
    private static func operations(_ subject: CrashSubject) -> [CrashOperation] {
        workload + subject.actions.keys.sorted().map(CrashOperation.action) + [.put(7)]
    }

    /// A store whose files were damaged opens as a state that it once had, or names the damage; so
    /// do verification and salvage.
    static func store() async throws -> FuzzTarget {
        let subject = CrashSubject.journal()
        let operations = operations(subject)
        let commits = operations.count
        let proof = try await DamageProof(subject, operations, unproven: commits)
        let killed = try await DamageProof(
            subject,
            operations,
            isClosed: false,
            unproven: commits
        )
        return FuzzTarget("store", seeds: edits) { bytes in
            let edits = FileEdits(Array(bytes.dropFirst()))
            let proof = bytes.first.map { $0 & 1 == 0 } == true ? proof : killed
            try await proof.check { try edits.apply(to: $0) }
            let disk = proof.image.afterKill()
            try edits.apply(to: disk)
            try await inspect(disk)
        }
    }

    /// The same with the checks made right again: nothing traps on what then comes through.
    static func forged() async throws -> FuzzTarget {
        let subject = CrashSubject.journal()
        let proof = try await DamageProof(subject, operations(subject), isClosed: false)
        return FuzzTarget("forged", seeds: edits) { bytes in
            let disk = proof.image.afterKill()
            try FileEdits(bytes).apply(to: disk)
            for path in disk.paths { try disk.forgeChecks(of: path) }
            try await inspect(disk)
            do {
                let storage = try await subject.open(disk, HeldScheduler(), 1)
                let snapshot = try storage.snapshot()
                try snapshot.scan(.all, .forward) { _, _ in true }
                _ = try storage.changes(after: .zero, limit: .max)
                _ = try await storage.write(.synced) { try $0.put([1], for: [1]) }
                try await storage.close()
            } catch is StorageError {
                return
            }
        }
    }

    private static func inspect(_ disk: SimulatedDisk) async throws {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.scheduler = HeldScheduler()
        configuration.firstSegmentBytes = 8_704
        configuration.valueCacheBytes = 0
        do {
            _ = try JournalVerifier.verify(at: "store", configuration: configuration)
            _ = try await JournalSalvage.salvage(
                from: "store",
                to: "saved",
                configuration: configuration
            )
        } catch is StorageError {
            return
        }
    }
}
