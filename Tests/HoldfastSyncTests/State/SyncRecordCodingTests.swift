import Holdfast
import HoldfastSync
import Testing

/// What is stored of a record reads back, and what was stored before forms were known does, too.
@Suite struct SyncRecordCodingTests {
    private static func state(
        form: Int,
        isRaw: Bool,
        remote: ServerState?,
        isClean: Bool
    ) -> SyncRecord {
        var state = SyncRecord()
        state.version = RecordVersion(7)
        state.scope = ScopeName("all")
        state.isDeleted = false
        state.form = form
        state.isRaw = isRaw
        state.mark = 3
        if isClean { return state }
        state.base = ["id": "a"]
        state.mutations = [Mutation.Position(transaction: 1, place: 2)]
        state.remote = remote.map { SyncRecord.Remote(state: $0, scope: ScopeName("all")) }
        return state
    }

    @Test(arguments: [0, 1, 2, Int(Int32.max)], [true, false])
    func formsReadBack(_ form: Int, _ isRaw: Bool) throws {
        var remote = ServerState(version: RecordVersion(9), object: ["id": "a"], form: form)
        remote.isRaw = isRaw
        for (isClean, remote) in [(true, nil), (false, nil), (false, remote)] {
            let state = Self.state(form: form, isRaw: isRaw, remote: remote, isClean: isClean)
            let read = try SyncRecord(state.encoded())
            #expect(read.form == form && read.isRaw == isRaw)
            #expect(read.remote == state.remote && read.base == state.base)
            #expect(read.version == state.version && read.mark == 3 && read.isClean == isClean)
        }
    }

    @Test func whatHasNoFormIsStoredAsEver() throws {
        let state = Self.state(form: 0, isRaw: false, remote: nil, isClean: true)
        #expect(
            try state.encoded() == [
                0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 0, 3, 0x61, 0x6C, 0x6C,
            ]
        )
    }

    @Test func damageIsFoundAndNothingTraps() throws {
        let remote = ServerState(version: RecordVersion(9), object: ["id": "a"], form: 2)
        let state = Self.state(form: 2, isRaw: true, remote: remote, isClean: false)
        let bytes = try state.encoded()
        for end in bytes.indices {
            #expect(throws: (any Error).self) { try SyncRecord(Array(bytes[..<end])) }
        }
        for bit: UInt8 in [16, 32, 64, 128] {
            let damaged = [bytes[0] | bit] + bytes.dropFirst()
            #expect(throws: (any Error).self) { try SyncRecord(damaged) }
        }
    }
}
