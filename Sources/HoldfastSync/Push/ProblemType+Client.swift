extension ProblemType {
    /// Whether a counter's step or an action had its effect can no longer be told.
    public static let outcomeUnknown = base + "outcome-unknown"
}
