extension SyncProblem {
    /// The record is in a newer form than what was written.
    package static let olderForm = SyncProblem(
        type: ProblemType.olderForm,
        detail: "A newer version of the app wrote the record; update the app to change it."
    )

    /// The record is in an older form, and this app's steps cannot be run on it.
    static let unreadableForm = SyncProblem(
        type: ProblemType.olderForm,
        detail: "The record is as an older version of the app wrote it, and this one cannot read it"
            + " so; edit the record, or update the app."
    )

    /// What was written in an older form says something else in this one.
    static let notStepped = SyncProblem(
        type: ProblemType.notStepped,
        detail: "An older version of the app made this change, and it cannot be said as this one"
            + " does. Look at the record, make the change anew, and discard this one."
    )
}
