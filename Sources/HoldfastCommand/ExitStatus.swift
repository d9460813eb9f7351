/// How the process ends, as scripts see it.
enum ExitStatus: Int32 {
    /// Everything was done.
    case done = 0
    /// It failed, or damage was found.
    case failed = 1
    /// The command line was wrong; nothing was touched.
    case wrongUsage = 64
    /// Ctrl-C.
    case interrupted = 130
}
