/// Keeps nothing of what was not synced, or all of it.
struct ExtremeChooser: CrashChooser {
    let limits = CrashLimits(independentSectors: 0, tears: false)
    let keepsAll: Bool

    func choose(from options: Int) -> Int { keepsAll ? options - 1 : 0 }
}
