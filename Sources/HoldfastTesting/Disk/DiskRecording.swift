/// What a simulated disk recorded.
public struct DiskRecording: Sendable {
    /// The calls, in order.
    public internal(set) var calls: [DiskCall] = []
    /// The disk before each call that could change it.
    public internal(set) var images: [DiskImage] = []
    let takesImages: Bool

    init(takesImages: Bool = false) { self.takesImages = takesImages }
}
