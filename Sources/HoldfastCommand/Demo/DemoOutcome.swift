/// What the demonstration saw.
struct DemoOutcome {
    /// Records that were imported in peace.
    var imported = 0
    /// Records whose ids the killed process had printed.
    var acknowledged = 0
    /// Records of the killed process that the store holds.
    var found = 0
    /// Acknowledged records that are missing or differ.
    var lost = 0
}
