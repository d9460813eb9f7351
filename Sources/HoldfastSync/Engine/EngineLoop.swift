import Holdfast

/// Runs a machine: brings it what happens, sends its requests, and wakes it.
///
/// It alone touches the machine, in one task; everything else comes by messages.
final class EngineLoop {
    private let core: EngineCore
    private var requests: [SyncMachine.RequestNumber: Task<Void, Never>] = [:]
    private var alarm: (time: Duration, task: Task<Void, Never>)?
    private var refresh: Task<Void, Never>?
    private var pokes: Task<Void, Never>?
    private var waiters: [EngineWaiter] = []
    /// Which machine it is: what was meant for an earlier one is for nobody.
    private var number = 0

    init(_ core: EngineCore) { self.core = core }

    /// Runs until there are no more messages, or the store is of no use any more.
    ///
    /// A machine that fails is dropped and another one made, later: all that counts is stored.
    func run(_ messages: AsyncStream<EngineMessage>) async {
        var iterator = messages.makeAsyncIterator()
        var backoff = Backoff(
            base: core.configuration.backoffBase,
            cap: min(core.configuration.backoffCap, .seconds(5))
        )
        var end: any Error = SyncError.notRunning
        while !Task.isCancelled {
            do {
                let machine = try await makeMachine()
                backoff.succeed()
                if pokes == nil { pokes = Task.detached { [core] in await core.hearPokes() } }
                try await drive(machine, &iterator)
                break
            } catch {
                end = error
                core.fail(error)
                release(error)
                if error.isFinal { break }
                let delay = backoff.fail(retryAfter: nil, random: core.environment.random())
                try? await core.clock.sleep(until: core.clock.now + delay)
            }
        }
        release(end)
        pokes?.cancel()
        // One that was stopped has been ended already, and another may have begun since.
        if end.isFinal, (end as? SyncError)?.code != .notRunning { _ = core.end() }
        while let message = await iterator.next(isolation: nil) { dismiss(message, end) }
    }

    private func makeMachine() async throws -> SyncMachine {
        number += 1
        try core.requireAccount()
        let credentials = SyncCredentials(token: try? await core.token?(nil))
        core.show(nil, credentials)
        let machine = try await SyncMachine(
            store: core.store,
            configuration: core.configuration,
            environment: core.environment,
            credentials: credentials
        )
        try await machine.belong(to: core.account)
        return machine
    }

    private func drive(
        _ machine: SyncMachine,
        _ messages: inout AsyncStream<EngineMessage>.AsyncIterator
    ) async throws {
        try await tell(machine, .start)
        while let message = await messages.next(isolation: nil) {
            switch message {
            case .event(let event, number):
                if case .credentials = event { refresh = nil }
                try await tell(machine, event)
            case .event: break
            case .trigger(let trigger):
                core.received(trigger)
                try await tell(machine, .trigger(trigger))
            case .wait(let waiter):
                waiters.append(waiter)
                try await tell(machine, .trigger(.manual))
            case .cancel(let number):
                for waiter in waiters where waiter.number == number {
                    waiter.continuation.resume(throwing: CancellationError())
                }
                waiters.removeAll { $0.number == number }
            case .call(let call):
                await call.run(machine)
                try await tell(machine, .trigger(.localWrite))
            }
        }
    }

    private func tell(_ machine: SyncMachine, _ event: SyncMachine.Event) async throws {
        if case .woke = event { alarm = nil }
        carryOut(try await machine.handle(event, at: core.clock.now))
        dropForgottenRequests(of: machine)
        core.show(machine.activity, machine.credentials.current)
        settleWaiters(machine)
    }

    private func dismiss(_ message: EngineMessage, _ error: any Error) {
        switch message {
        case .wait(let waiter): waiter.continuation.resume(throwing: error)
        case .call(let call): call.fail(error)
        case .event, .trigger, .cancel: break
        }
    }
}

/// What a machine asks for.
extension EngineLoop {
    private func carryOut(_ step: SyncMachine.Step) {
        for outgoing in step.requests { send(outgoing) }
        if step.wantsCredentials, refresh == nil { renew() }
        if let time = step.wakeAt { wake(at: time) }
    }

    private func send(_ outgoing: SyncMachine.Outgoing) {
        requests[outgoing.number] = Task.detached { [core, number] in
            let result: Result<SyncAnswer, TransportFailure>
            do throws(TransportFailure) {
                result = .success(
                    try await core.transport.answer(outgoing.request, outgoing.credentials)
                )
            } catch {
                result = .failure(error)
            }
            core.post(.event(.answered(outgoing.number, result), machine: number))
        }
    }

    /// A request that the machine waits for no longer is given up: its transport may be stuck.
    private func dropForgottenRequests(of machine: SyncMachine) {
        let open = machine.openRequests
        for (number, task) in requests where !open.contains(number) {
            task.cancel()
            requests[number] = nil
        }
    }

    private func renew() {
        refresh = Task.detached { [core, number] in
            let token = try? await core.token?(core.credentials.token)
            let credentials = token.map { SyncCredentials(token: $0) }
            core.post(.event(.credentials(credentials), machine: number))
        }
    }

    private func wake(at time: Duration) {
        if let alarm, alarm.time == time { return }
        alarm?.task.cancel()
        let task = Task.detached { [core, number] in
            do { try await core.clock.sleep(until: time) } catch { return }
            core.post(.event(.woke, machine: number))
        }
        alarm = (time, task)
    }

    /// Ends everything that a machine has asked for, and tells those who wait.
    private func release(_ error: any Error) {
        for task in requests.values { task.cancel() }
        requests = [:]
        alarm?.task.cancel()
        alarm = nil
        refresh?.cancel()
        refresh = nil
        for waiter in waiters { waiter.continuation.resume(throwing: error) }
        waiters = []
    }

    private func settleWaiters(_ machine: SyncMachine) {
        guard !waiters.isEmpty, machine.isAtRest else { return }
        let status = core.status
        waiters = waiters.filter { waiter in
            if waiter.goal == .rest || status.isSynced {
                waiter.continuation.resume(returning: status)
            } else if let error = status.hindrance {
                waiter.continuation.resume(throwing: error)
            } else {
                return true
            }
            return false
        }
    }
}
