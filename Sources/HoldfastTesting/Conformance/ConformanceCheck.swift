public import HoldfastStorage

extension StorageConformance {
    /// One promise of `Storage`, to be tried on an implementation.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise, as a sentence in camel case.
        public let name: String
        private let body: @Sendable (any Storage) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (any Storage) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// The promise.
        public var description: String { name }

        /// Tries the promise on a store, and closes the store.
        ///
        /// - Parameter makeEmptyStore: Opens a new store without records.
        /// - Throws: ``StorageConformance/Failure`` when the promise is not kept, or what the store
        ///   threw where it should not have.
        public func run(
            on makeEmptyStore: () async throws -> any Storage
        ) async throws {
            let store = try await makeEmptyStore()
            do {
                try await body(store)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    /// A promise that was not kept.
    public struct Failure: Error, CustomStringConvertible {
        /// What was expected, and what was there instead.
        public let description: String

        init(_ description: String) { self.description = description }
    }
}
