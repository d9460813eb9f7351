/// A simulated disk at one moment, from which crashes can be tried.
///
/// Taking one costs no copy of the data.
public struct DiskImage: Sendable {
    /// The calls that could change the disk and were complete when it was taken.
    public let mutations: Int
    /// The call that was about to be made, for an image that a recording took.
    public let nextCall: DiskCall?
    let tree: DiskTree
    let capacity: Int?

    /// The disk after the process was killed: everything that was written is kept, synced or not;
    /// open files and locks are gone.
    public func afterKill() -> SimulatedDisk {
        var tree = tree
        tree.forgetUnreachable()
        return SimulatedDisk(tree, capacity: capacity)
    }

    /// The disk after a power loss: everything that was synced is kept, and of the rest what
    /// `chooser` decides.
    ///
    /// A name survives only when its directory was synced, whatever became of its file; a renamed
    /// file has its old name or its new one; an unsynced file under a durable name may be empty.
    public func afterPowerLoss<Chooser: CrashChooser>(
        using chooser: inout Chooser
    ) -> SimulatedDisk {
        var powerLosses = PowerLosses(of: self)
        return powerLosses.next(using: &chooser)
    }

    /// The disk after a power loss that `seed` decides.
    public func afterPowerLoss(seed: UInt64) -> SimulatedDisk {
        var chooser = SeededChooser(seed: seed)
        return afterPowerLoss(using: &chooser)
    }
}

extension DiskImage {
    /// A number that two images share if programs and crashes can find no difference between them.
    package var fingerprint: UInt64 { tree.fingerprint }
}
