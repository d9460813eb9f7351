import HoldfastStorage
import HoldfastTesting

let disk = SimulatedDisk()
let scheduler = HeldScheduler()
var configuration = JournalConfiguration()
configuration.fileSystem = disk
configuration.scheduler = scheduler

let storage = try await JournalStorage.open(at: "store", configuration: configuration)
try await storage.write(.buffered) { transaction in
    try transaction.put([1].span.bytes, for: [1].span.bytes)
}
await scheduler.run(for: .milliseconds(999))
let before = disk.counters.syncs
await scheduler.run(for: .milliseconds(1))
print("syncs when the second is over:", disk.counters.syncs - before)
try await storage.close()
