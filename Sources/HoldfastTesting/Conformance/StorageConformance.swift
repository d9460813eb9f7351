import HoldfastStorage

/// The rules of `Storage` as checks that any implementation can be run through.
///
/// ```swift
/// @Test(.timeLimit(.minutes(1)), arguments: StorageConformance.checks)
/// func myStorageKeepsTheRules(_ check: StorageConformance.Check) async throws {
///     try await check.run { try await MyStorage.openEmpty() }
/// }
/// ```
///
/// The checks need no test framework. A store that never wakes who waits makes a check wait too, so
/// set a time limit. One that does not hold throws a
/// ``StorageConformance/Failure`` that says what was expected.
public enum StorageConformance {
    /// Every check, each with the promise that it tests as its name.
    public static let checks: [Check] =
        recordChecks + scanChecks + transactionChecks + indexChecks + feedChecks
        + concurrencyChecks + closingChecks + modelChecks
}
