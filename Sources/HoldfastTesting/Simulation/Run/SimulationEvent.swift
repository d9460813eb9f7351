import HoldfastSync

/// What is going to happen in a run; the queue of events moves no more than a reference.
indirect enum SimulationEvent {
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
    case poke(replica: Int, scopes: Set<ScopeName>)
    /// A crash that no call of the disk has brought about comes now.
    case overdueCrash(replica: Int, life: Int)
    /// What was said about a network, a disk, the server or a scope is over.
    case end(Ending)

    /// A request on its way to the server.
    final class Arrival {
        let replica: SimulatedReplica
        let life: Int
        let outgoing: SyncMachine.Outgoing
        /// How long the answer takes back; `nil` when nobody gets it.
        let answerDelay: Duration?
        /// What the answer is distorted by, as a number.
        let distortion: Int?

        init(
            _ outgoing: SyncMachine.Outgoing,
            from replica: SimulatedReplica,
            answerDelay: Duration?,
            distortion: Int?
        ) {
            self.distortion = distortion
            self.outgoing = outgoing
            self.replica = replica
            life = replica.life
            self.answerDelay = answerDelay
        }
    }

    /// An answer on its way back, or word that there is none.
    final class Answer {
        let replica: SimulatedReplica
        let life: Int
        let outgoing: SyncMachine.Outgoing
        let result: Result<SyncAnswer, TransportFailure>
        /// The edits that the records in it may contain.
        let contents: [(record: RecordReference, edits: Set<Int>)]

        init(
            _ result: Result<SyncAnswer, TransportFailure>,
            to outgoing: SyncMachine.Outgoing,
            of replica: SimulatedReplica,
            life: Int,
            contents: [(record: RecordReference, edits: Set<Int>)] = []
        ) {
            self.result = result
            self.outgoing = outgoing
            self.replica = replica
            self.life = life
            self.contents = contents
        }
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
