import HoldfastSync

/// What is going to happen in a run.
enum SimulationEvent {
    /// Something from outside.
    case step(SimulationStep)
    /// A process starts.
    case start(replica: Int, life: Int)
    /// A request reaches the server.
    case arrival(Arrival)
    /// A machine is told what became of its request.
    case answer(Answer)
    /// A machine gets the credentials that it asked for.
    case credentials(replica: Int, life: Int)
    /// A machine asked to be woken.
    case wake(replica: Int, life: Int, serial: Int)
    /// The server's hint reaches a replica.
    case poke(replica: Int)
    /// A crash that no call of the disk has brought about comes now.
    case overdueCrash(replica: Int, life: Int)
    /// What was said about a network, a disk, the server or a scope is over.
    case end(Ending)

    struct Arrival {
        let replica: Int
        let life: Int
        let number: SyncMachine.RequestNumber
        let request: SyncRequest
        let credentials: SyncCredentials
        /// How long the answer takes back; `nil` when nobody gets it.
        let answerDelay: Duration?
    }

    struct Answer {
        let replica: Int
        let life: Int
        let number: SyncMachine.RequestNumber
        let result: Result<SyncAnswer, TransportFailure>
        /// The edits that the records in it may contain.
        var contents: [(record: RecordReference, edits: Set<Int>)] = []
    }

    enum Ending {
        case network(replica: Int, serial: Int)
        case disk(replica: Int, serial: Int)
        case outage(serial: Int)
        case quota(serial: Int)
        case refusing(serial: Int)
        case revocation(replica: Int, place: Int)
    }
}
