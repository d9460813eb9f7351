extension SyncMachine {
    /// What a person does about changes and conflicts that wait for one.
    package var commands: AttentionCommands { AttentionCommands(settling: settling) }
}
