#if canImport(Network)
import Network
#else
import Foundation
#endif

/// What the system says of its networks.
package enum SystemConnectivity {
    #if canImport(Network)
    /// Whether there is a path to anywhere, now and at each change.
    static func hints() -> AsyncStream<Bool> {
        AsyncStream { continuation in
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { continuation.yield($0.status == .satisfied) }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "holdfast.connectivity"))
        }
    }
    #else
    /// Whether an interface besides the loopback is up, looked at every two seconds.
    static func hints() -> AsyncStream<Bool> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task.detached {
                repeat {
                    continuation.yield(isUp(in: "/sys/class/net"))
                } while (try? await Task.sleep(for: .seconds(2))) != nil
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Whether a directory of interfaces, as Linux shows them, has one that is up.
    ///
    /// An interface that cannot tell, as those of some tunnels, counts as up.
    package static func isUp(in directory: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.contains { name in
            guard name != "lo",
                let state = try? String(
                    contentsOfFile: "\(directory)/\(name)/operstate",
                    encoding: .utf8
                )
            else { return false }
            return ["up", "unknown"].contains(state.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
    #endif
}
