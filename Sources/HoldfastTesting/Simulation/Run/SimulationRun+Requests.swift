import Holdfast
import HoldfastStorage
import HoldfastSync

/// Requests on their way, and machines that are told.
extension SimulationRun {
    /// Something asks a machine to look.
    func trigger(_ trigger: SyncTrigger, at replica: SimulatedReplica) async throws {
        wire.triggered(replica)
        try await tell(replica, .trigger(trigger))
    }

    /// Lets a machine handle an event, and sends what it wants to send.
    func tell(_ replica: SimulatedReplica, _ event: SyncMachine.Event) async throws {
        guard let process = replica.process else { return }
        await replica.reach(now)
        if replica.goodSince == nil, replica.conditions == .good { replica.goodSince = now }
        if process.machine.activity.pause != nil { replica.lastPause = now }
        let before = replica.sequence
        let step: SyncMachine.Step
        do {
            step = try await process.machine.handle(event, at: now)
        } catch {
            if try await crashIfDue(replica, isEdit: false) { return }
            try await absorb(replica, isEdit: false)
            return try await stumble(replica, error)
        }
        if try await crashIfDue(replica, isEdit: false) { return }
        try await absorb(replica, isEdit: false)
        // What has left is never to be sent with other bytes: no crash may take back the commit that
        // froze it. Others of the same step may have come behind it.
        if step.requests.contains(where: \.request.isPush), replica.sequence > before {
            replica.durableSequence = max(replica.durableSequence, before.next)
        }
        for outgoing in step.requests { try send(outgoing, from: replica) }
        replica.wakeSerial += 1
        if let time = step.wakeAt {
            queue.add(
                .wake(replica: replica.number, life: replica.life, serial: replica.wakeSerial),
                at: max(time, now)
            )
        }
        if step.wantsCredentials, !replica.isFetchingCredentials {
            replica.isFetchingCredentials = true
            queue.add(
                .credentials(replica: replica.number, life: replica.life),
                at: now + .milliseconds(200)
            )
        }
    }

    /// A machine that failed with its disk is told again later; any other failure is a finding.
    private func stumble(_ replica: SimulatedReplica, _ error: any Error) async throws {
        guard replica.disk.capacity != nil, (error as? StoreError)?.code == .diskFull else {
            throw SimulationFinding(
                .changesAreKept,
                "The machine of replica \(replica.number) failed: \(error)"
            )
        }
        // As an app does that finds its disk full: it starts anew a little later.
        try? await replica.process?.store.close()
        replica.endProcess()
        queue.add(.start(replica: replica.number, life: replica.life), at: now + .seconds(5))
    }

    private func send(_ outgoing: SyncMachine.Outgoing, from replica: SimulatedReplica) throws {
        report.requests += 1
        try wire.sends(outgoing, from: replica, at: now)
        remember(outgoing.request, replica)
        let fate = network.fate(under: replica.conditions)
        trace.note(
            now,
            3,
            UInt64(replica.number),
            outgoing.number.rawValue,
            text: "replica \(replica.number) sends \(outgoing.number.rawValue):"
                + " \(outgoing.request.summary)"
        )
        for (place, time) in fate.arrivals.enumerated() {
            let isAnswered = place == 0 && fate.failure == nil
            let arrival = SimulationEvent.Arrival(
                outgoing,
                from: replica,
                answerDelay: isAnswered ? fate.answerDelay : nil,
                distortion: fate.distortion
            )
            queue.add(.arrival(arrival), at: now + time)
        }
        if let failure = fate.failure, let error = failure.kind.transportFailure {
            let answer = SimulationEvent.Answer(
                .failure(error),
                to: outgoing,
                of: replica,
                life: replica.life
            )
            queue.add(.answer(answer), at: now + failure.after)
        }
    }

    /// A request reaches the server.
    func arrive(_ arrival: SimulationEvent.Arrival) async throws {
        report.arrivals += 1
        let (replica, outgoing) = (arrival.replica, arrival.outgoing)
        let result = await server.answer(outgoing, from: replica, at: now)
        if case .push(let request) = outgoing.request {
            report.mutations += request.operations.count
            if case .success(.push(let response)) = result {
                report.conflicts += response.results.count { $0.status == .conflict }
                try wire.answers(response, to: request, from: replica)
                for result in response.results { spread(result) }
                try requireKnown(wire.takeUnknown(), replica)
            }
        }
        if case .failure(let failure) = result, case .refused(let status) = failure.kind,
            status < 500, status != 409
        {
            wire.refuses(outgoing.request)
        }
        trace.note(
            now,
            4,
            UInt64(replica.number),
            outgoing.number.rawValue,
            text: "server answers \(outgoing.number.rawValue) of replica \(replica.number):"
                + " \(result.summary)"
        )
        result.mix(into: &trace)
        pokeOthers(than: replica.number, of: try await absorbServer(isEdit: false))
        guard let delay = arrival.answerDelay else { return }
        let told = arrival.distorted(result)
        let answer = SimulationEvent.Answer(
            told,
            to: outgoing,
            of: replica,
            life: arrival.life,
            contents: contents(of: told)
        )
        queue.add(.answer(answer), at: now + delay)
    }

    /// Every second change is hinted at; the others are found by asking.
    private func pokeOthers(than number: Int, of scopes: Set<ScopeName>) {
        guard !scopes.isEmpty, !isSettling, report.arrivals.isMultiple(of: 2) else { return }
        for replica in replicas where replica.number != number {
            queue.add(.poke(replica: replica.number, scopes: scopes), at: now + .milliseconds(40))
        }
    }

    /// A machine learns what became of its request.
    func deliver(_ answer: SimulationEvent.Answer) async throws {
        let (replica, number) = (answer.replica, answer.outgoing.number)
        guard replica.life == answer.life, replica.process != nil else { return }
        trace.note(
            now,
            5,
            UInt64(replica.number),
            number.rawValue,
            text: "replica \(replica.number) gets the answer to \(number.rawValue):"
                + " \(answer.result.summary)"
        )
        wire.answered(replica, number, answer.result)
        for (record, edits) in answer.contents {
            history.tell(edits, of: record, to: replica.author, at: replica.sequence.next)
        }
        if case .success(let page) = answer.result, page.isPage { replica.lastPage = now }
        try await tell(replica, .answered(number, answer.result))
        try noteProgress(answer)
        try await askAgain(answer)
    }

    /// Now and then a page that was taken is asked for again: it must change nothing.
    private func askAgain(_ answer: SimulationEvent.Answer) async throws {
        guard answer.outgoing.number.rawValue % 13 == 5,
            case .changes(let request) = answer.outgoing.request,
            case .success(.changes(let page)) = answer.result, !page.changes.isEmpty,
            let process = answer.replica.process, answer.replica.life == answer.life
        else { return }
        try? await process.store.writeUnrecorded(.buffered) { transaction in
            guard var state = try transaction.scopeState(request.scope), state.snapshot == nil,
                state.cursor == page.cursor
            else { return }
            state.cursor = request.cursor
            try transaction.set(state, of: request.scope)
        }
        answer.replica.cursors.forget(request.scope)
        if try await crashIfDue(answer.replica, isEdit: false) { return }
        try await absorb(answer.replica, isEdit: false)
    }
}

/// Which edits a message may contain: what somebody was sent they can take into account.
extension SimulationRun {
    /// What a mutation contains when it is first sent it always will.
    private func remember(_ request: SyncRequest, _ replica: SimulatedReplica) {
        guard case .push(let request) = request else { return }
        for operation in request.operations {
            guard let sent = wire.operation(operation.text), mutationEdits[sent.key] == nil else {
                continue
            }
            mutationEdits[sent.key] = (
                sent.record, history.mayBeKnown(of: sent.record, to: replica.author), now
            )
        }
    }

    /// What has come into effect is known to whoever reads it from the server.
    private func spread(_ result: PushResult) {
        guard [.applied, .merged, .noop].contains(result.original ?? result.status),
            let (record, edits, _) = mutationEdits[result.key]
        else { return }
        history.tell(edits, of: record, to: 0, at: server.sequence)
    }

    private func contents(
        of result: Result<SyncAnswer, TransportFailure>
    ) -> [(record: RecordReference, edits: Set<Int>)] {
        guard case .success(let answer) = result else { return [] }
        let records: [RecordReference] =
            switch answer {
            case .changes(let page):
                page.changes.filter { $0.kind != .gone }.map(\.record)
            case .snapshot(let page): page.records.map(\.record)
            case .records(let page): page.records.map(\.record)
            case .push(let response):
                response.results.filter { $0.record != nil || $0.isTombstone }
                    .compactMap { mutationEdits[$0.key]?.record }
            case .hello: []
            }
        return records.filter { rules[$0.table] != nil }
            .map { ($0, history.mayBeKnown(of: $0, to: 0)) }
    }
}

extension SimulationEvent.Arrival {
    /// What arrives of a result.
    fileprivate func distorted(
        _ result: Result<SyncAnswer, TransportFailure>
    ) -> Result<SyncAnswer, TransportFailure> {
        guard let distortion, case .success(let answer) = result else { return result }
        let choices = AnswerDistortion.harmless(to: outgoing.request)
        let chosen = choices[distortion % choices.count]
        do throws(TransportFailure) {
            return .success(try chosen.applied(to: answer, of: outgoing.request))
        } catch {
            return .failure(error)
        }
    }
}

extension SyncRequest {
    /// The request in a few words.
    var summary: String {
        switch self {
        case .hello: "hello"
        case .push(let request):
            "push of \(request.operations.count): "
                + request.operations.map { String(decoding: $0.text, as: UTF8.self) }
                .joined(separator: ", ")
        case .changes(let request):
            "changes of \(request.scope) after \(request.cursor?.text ?? "the beginning")"
        case .snapshot(let request):
            "snapshot of \(request.scope) after \(request.after?.text ?? "the beginning")"
        case .records(let request): "\(request.ids.count) records"
        }
    }
}

extension Result<SyncAnswer, TransportFailure> {
    /// The outcome in a few words.
    var summary: String {
        switch self {
        case .failure(let failure): "\(failure)"
        case .success(.hello(let hello)): "hello, scopes \(hello.scopes.map(\.text))"
        case .success(.push(let response)):
            response.results.map { result in
                "\(result.status)" + (result.original.map { "(\($0))" } ?? "")
                    + (result.version.map { " v\($0)" } ?? "")
                    + (result.problem.map { " \($0.detail)" } ?? "")
            }.joined(separator: ", ")
        case .success(.changes(let page)):
            "\(page.changes.map(\.summary).joined(separator: ", ")) to \(page.cursor)"
                + (page.hasMore ? " and more" : "")
        case .success(.snapshot(let page)):
            "\(page.records.map(\.summary).joined(separator: ", ")) of a snapshot at \(page.head)"
                + (page.next == nil ? ", all" : "")
        case .success(.records(let page)): "\(page.records.count) records"
        }
    }

    /// Adds what matters of it to a trace.
    func mix(into trace: inout SimulationTrace) {
        switch self {
        case .failure: trace.mix(1)
        case .success(.hello): trace.mix(2)
        case .success(.push(let response)):
            for result in response.results {
                trace.mix(UInt64(bitPattern: result.version?.number ?? -1))
                trace.mix(UInt64(result.status.rawValue.utf8.count))
            }
        case .success(.changes(let page)):
            for change in page.changes { trace.mix(UInt64(bitPattern: change.version.number)) }
        case .success(.snapshot(let page)):
            for change in page.records { trace.mix(UInt64(bitPattern: change.version.number)) }
        case .success(.records(let page)): trace.mix(UInt64(page.records.count))
        }
    }
}

extension ServerChange {
    fileprivate var summary: String {
        let object = fields.map { " \(JSONValue.object($0))" } ?? ""
        return "\(kind.rawValue) \(record.table) \(record.id) v\(version)\(object)"
    }
}
