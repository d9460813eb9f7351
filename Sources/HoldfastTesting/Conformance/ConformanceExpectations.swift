import HoldfastStorage

typealias Bytes = [UInt8]

func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) throws {
    if !condition { throw StorageConformance.Failure(expectation()) }
}

func expectEqual<Value: Equatable>(
    _ actual: Value,
    _ expected: Value,
    _ what: @autoclosure () -> String
) throws {
    guard actual != expected else { return }
    throw StorageConformance.Failure("\(what()): expected \(expected), but it is \(actual)")
}

func expectError(
    _ code: StorageError.Code,
    _ what: String,
    _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let error as StorageError where error.code == code {
        return
    } catch {
        throw StorageConformance.Failure("\(what): expected \(code), but it threw \(error)")
    }
    throw StorageConformance.Failure("\(what): expected \(code), but nothing was thrown")
}

func expectError(_ code: StorageError.Code, _ what: String, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as StorageError where error.code == code {
        return
    } catch {
        throw StorageConformance.Failure("\(what): expected \(code), but it threw \(error)")
    }
    throw StorageConformance.Failure("\(what): expected \(code), but nothing was thrown")
}

/// An error of the checks themselves, to see that it comes back as it was thrown.
struct DeliberateError: Error, Equatable {
    var number = 0
}

func expectDeliberateError(_ number: Int = 0, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as DeliberateError where error.number == number {
        return
    }
    throw StorageConformance.Failure("an error of the closure was swallowed")
}

func expectDeliberateError(_ number: Int = 0, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as DeliberateError where error.number == number {
        return
    }
    throw StorageConformance.Failure("an error of the closure was swallowed")
}

func expectCancellation(_ what: String, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch is CancellationError {
        return
    }
    throw StorageConformance.Failure("\(what): expected a CancellationError")
}
