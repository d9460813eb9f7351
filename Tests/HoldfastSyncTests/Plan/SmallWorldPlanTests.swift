import Holdfast
import HoldfastSync
import Testing

/// Every state of the small world under every policy.
@Suite struct SmallWorldPlanTests {
    @Test(arguments: [FieldPolicy.serverOrder, .keepBoth, .counter])
    func everyPlanOfTheSmallWorldKeepsItsPromises(policy: FieldPolicy) {
        check(SyncRules(policy), upTo: 3)
    }

    @Test(arguments: PlanWorld.policies)
    func everyPolicyKeepsItsPromises(policy: FieldPolicy) {
        check(SyncRules(policy), upTo: 2)
        check(SyncRules(policy, deletes: .deleteWins), upTo: 2)
    }

    @Test(arguments: [SyncRules.Kind.immutable, .serverAuthoritative])
    func everyPlanOfOtherTablesKeepsItsPromises(kind: SyncRules.Kind) {
        check(SyncRules(kind: kind), upTo: 2)
    }

    @Test func mixedPoliciesKeepTheirPromises() {
        check(SyncRules(.serverWins, fields: ["a": .keepBoth, "b": .serverOrder]), upTo: 2)
        check(SyncRules(.serverOrder, fields: ["a": .serverWins, "b": .maximum]), upTo: 2)
    }

    @Test func whatAsksIsSettledByEitherAnswer() {
        let rules = SyncRules(.ask)
        var asked = 0
        everyState(upTo: 2) { base, mutations, remote in
            guard case .ask(let fields) = planned(mutations, on: base, against: remote, rules)
            else { return }
            asked += 1
            if fields.isEmpty { Issue.record("nothing to ask: \(mutations)") }
            for choice in [ConflictChoice.local, .remote] {
                let rebase = resolve(
                    .note,
                    base: base,
                    mutations: mutations,
                    remote: remote,
                    rules: rules,
                    choosing: choice
                )
                expect(
                    PlanProperties(
                        base: base,
                        mutations: mutations,
                        remote: remote,
                        rules: rules,
                        rebase: rebase
                    )
                )
            }
        }
        #expect(asked > 50)
    }

    /// Every prefix of every list as sent, with what follows queued.
    @Test func nothingIsPlannedInAnyStateWhileAnOutcomeIsUnknown() {
        everyState(upTo: 2) { base, mutations, remote in
            guard !mutations.isEmpty else { return }
            var sent = mutations
            sent[0] = sent[0].sent
            let plan = planned(sent, on: base, against: remote)
            if plan != .wait(sent[0].key) { Issue.record("\(plan) for \(sent)") }
        }
    }

    private func check(_ rules: SyncRules, upTo length: Int) {
        var rebases = 0
        everyState(upTo: length) { base, mutations, remote in
            let plan = planned(mutations, on: base, against: remote, rules)
            switch plan {
            case .idle, .accept: if !mutations.isEmpty { Issue.record("\(plan): \(mutations)") }
            case .send: if mutations.isEmpty { Issue.record("nothing to send") }
            case .wait, .ask: Issue.record("\(plan) for \(mutations)")
            case .rebase(let rebase):
                rebases += 1
                expect(
                    PlanProperties(
                        base: base,
                        mutations: mutations,
                        remote: remote,
                        rules: rules,
                        rebase: rebase
                    )
                )
            }
        }
        #expect(rebases > 100)
    }

    private func expect(_ properties: PlanProperties) {
        let violations = properties.violations
        if violations.isEmpty { return }
        Issue.record(
            """
            \(violations) under \(properties.rules.policy), \(properties.rules.deletes)
            base \(properties.base) remote \(properties.remote)
            \(properties.mutations.map(\.change))
            becomes \(properties.rebase)
            """
        )
    }

    private func everyState(
        upTo length: Int,
        _ body: (ServerState, [Mutation], ServerState) -> Void
    ) {
        for base in PlanWorld.bases {
            for mutations in PlanWorld.lists(on: base.object, upTo: length) {
                for remote in PlanWorld.remotes { body(base, mutations, remote) }
            }
        }
    }
}
