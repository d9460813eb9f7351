import Holdfast
import HoldfastCommand
import Testing

/// Short runs of what is usually run for long.
struct CampaignTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    @Test func tortureLosesNothing() throws {
        let outcome = try hold.run("torture", "kill", "--rounds", "14", "--seed", "11", "--json")
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        let report = try JSONObject(parsing: try #require(outcome.lines.last))
        #expect(report["rounds"] == 14)
        #expect(report["lost"] == 0)
        #expect(report["damaged"] == 0)
        #expect(report["seed"] == "11")
    }

    @Test func lostPowerTakesNothing() throws {
        let arguments = ["torture", "power", "--no-worlds", "--rounds", "60", "--seed", "11"]
        let outcome = try hold.run(arguments + ["--json"])
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        let report = try JSONObject(parsing: try #require(outcome.lines.last))
        #expect(report["rounds"] == 60)
        #expect(report["lost"] == 0)
        #expect(report["damaged"] == 0)
        #expect(report["seed"] == "11")
        let text = try hold.run(arguments).output
        #expect(text.contains("lost          0 (must be 0)"))
    }

    @Test func tortureStopsAtCtrlCAndRemovesItsStores() throws {
        let output = try Pipe()
        let child = try hold.start(
            "torture",
            "kill",
            "--rounds",
            "100000",
            environment: ["TMPDIR=\(hold.directory.path)"],
            output: output.writeEnd
        )
        output.writeEnd.close()
        while try !hold.names().contains(where: { $0.hasPrefix("hold-torture") }) {}
        child.interrupt()
        #expect(try child.wait() == .exited(130))
        #expect(try hold.names().allSatisfy { !$0.hasPrefix("hold-torture") })
    }

    @Test func theDemonstrationEndsWithEqualReplicas() throws {
        let outcome = try hold.run("demo", "--json")
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        let report = try JSONObject(parsing: try #require(outcome.lines.last))
        #expect(report["lost"] == 0)
        #expect(report["crashes"] == 1)
        #expect(report["bakings"] == 1)
        #expect(report["equal"] == true)
        let text = try hold.run("demo").output
        #expect(text.contains("Both replicas equal the server"))
    }

    @Test func theDemonstrationWithProcessesEndsWithEqualStores() throws {
        let outcome = try hold.run(
            ["demo", "--process", "--json"],
            environment: ["TMPDIR=\(hold.directory.path)"]
        )
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        let report = try JSONObject(parsing: try #require(outcome.lines.last))
        #expect(report["lost"] == 0 && report["crashes"] == 1 && report["equal"] == true)
        #expect((report["replayed"]?.integerValue ?? 0) > 0)
        #expect(try hold.names().allSatisfy { !$0.hasPrefix("hold-demo") })
    }

    @Test func simulatedReplicasBreakNoRule() throws {
        let arguments = ["simulate", "--seeds", "3", "--operations", "25", "--seed", "11"]
        let outcome = try hold.run(arguments + ["--json"])
        #expect(outcome.ending == .exited(0), "\(outcome.errors) \(outcome.output)")
        let report = try JSONObject(parsing: try #require(outcome.lines.last))
        #expect(report["seeds"] == 3)
        #expect(report["violations"] == 0)
        let again = try hold.run(arguments + ["--json"])
        let repeated = try JSONObject(parsing: try #require(again.lines.last))
        #expect(repeated["traceHash"] == report["traceHash"])
        let text = try hold.run(arguments).output
        #expect(text.contains("violations    0 (must be 0)"))
    }
}
