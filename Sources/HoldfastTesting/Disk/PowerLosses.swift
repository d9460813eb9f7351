/// Power losses of one image, one after the other: what they have in common is found out once.
struct PowerLosses: Sendable {
    private let image: DiskImage
    private var files: [DiskTree.Inode: PowerLoss] = [:]

    init(of image: DiskImage) { self.image = image }

    /// The disk after a power loss that `chooser` decides.
    mutating func next<Chooser: CrashChooser>(using chooser: inout Chooser) -> SimulatedDisk {
        let tree = image.tree
        var result = tree
        result.files = [:]
        result.directories = [:]
        var waiting = [DiskTree.root]
        while let inode = waiting.popLast() {
            if let directory = tree.directories[inode] {
                let entries = directory.entries(afterPowerLossUsing: &chooser)
                result.directories[inode] = SimulatedDirectory(durable: entries)
                waiting += entries.sorted { $0.key < $1.key }.map(\.value)
            } else if let contents = tree.files[inode], result.files[inode] == nil {
                let bytes = files[inode, default: PowerLoss(of: contents)].outcome(using: &chooser)
                result.files[inode] = SimulatedContents(durable: bytes)
            }
        }
        return SimulatedDisk(result, capacity: image.capacity)
    }
}
