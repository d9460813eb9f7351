import HoldfastTesting

extension DiskImage {
    /// Every outcome of a power loss, as a text: each file's path and its bytes in runs.
    func outcomes(_ limits: CrashLimits = CrashLimits()) -> [String] {
        var outcomes = CrashEnumerator(limits: limits)
        var texts: [String] = []
        repeat {
            texts.append(afterPowerLoss(using: &outcomes).summary)
        } while outcomes.advance()
        return texts
    }
}

extension SimulatedDisk {
    /// Such as `a=1x512,2x100 b=`.
    var summary: String {
        paths.map { "\($0)=\(runs(of: (try? contents(of: $0)) ?? []))" }.joined(separator: " ")
    }

    private func runs(of bytes: [UInt8]) -> String {
        var runs: [(byte: UInt8, count: Int)] = []
        for byte in bytes {
            if runs.last?.byte == byte {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((byte, 1))
            }
        }
        return runs.map { "\($0.byte)x\($0.count)" }.joined(separator: ",")
    }
}

/// `count` bytes of one kind.
func run(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
