extension JournalStorage {
    /// Sees to it that no checkpoint stands that needs what a newer state does not.
    func checkpointCovering() async throws(StorageError) {
        let path = directory.path(StoreDirectory.checkpointName)
        try describing("Removing an old checkpoint") { () throws(SystemCallError) in
            guard try directory.fileSystem.kind(of: path) != nil else { return }
            try directory.remove(StoreDirectory.checkpointName)
        }
    }
}
