extension ProblemType {
    /// Whether a counter's step or an action had its effect can no longer be told.
    public static let outcomeUnknown = base + "outcome-unknown"
    /// What an older version of the app had written cannot be said in this version's form.
    public static let notStepped = base + "not-stepped"
}
