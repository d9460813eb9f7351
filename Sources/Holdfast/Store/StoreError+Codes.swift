extension StoreError.Code {
    // MARK: What was asked for

    /// A table's name is empty, longer than 255 bytes, or has a control character.
    public static let invalidTableName = Self("invalidTableName")
    /// An id is empty, longer than 1,024 bytes, has a control character, or is no text or integer.
    public static let invalidID = Self("invalidID")
    /// The id that was given and the record's own id differ; nothing was written.
    public static let idMismatch = Self("idMismatch")
    /// The table was first filled with another id field; nothing was written.
    public static let idFieldMismatch = Self("idFieldMismatch")
    /// There is no record with this id.
    public static let noSuchRecord = Self("noSuchRecord")
    /// A query cannot mean anything as it stands, such as a negative limit.
    public static let invalidQuery = Self("invalidQuery")
    /// The cursor is damaged or belongs to another query.
    public static let invalidCursor = Self("invalidCursor")
    /// The sum of a query's numbers does not fit a number of its kind.
    public static let numberOutOfRange = Self("numberOutOfRange")
    /// An index names no field, one field twice, too many, or one that cannot be indexed.
    public static let invalidIndex = Self("invalidIndex")
    /// The store has no such index.
    public static let unknownIndex = Self("unknownIndex")

    /// A field or a table of that name is there already, and would be lost; nothing was written.
    public static let alreadyThere = Self("alreadyThere")
    /// A schema contradicts itself, such as by declaring a table twice.
    public static let invalidSchema = Self("invalidSchema")

    // MARK: The rules of the schema

    /// Another record has the same values in the fields of a unique index.
    ///
    /// ``StoreError/otherID`` is that record's id. A write that throws it wrote nothing; an index
    /// that is declared over such records is not declared.
    public static let uniqueConflict = Self("uniqueConflict")
    /// A field refers to a record that is not there, or holds what is no id; nothing of the
    /// transaction remains.
    public static let missingReference = Self("missingReference")
    /// A record cannot be deleted, because others refer to it; nothing was deleted.
    ///
    /// ``StoreError/otherTable`` and ``StoreError/otherID`` name one of them.
    public static let stillReferenced = Self("stillReferenced")
    /// The store's data is of a newer version than the schema's; nothing was touched.
    public static let schemaTooNew = Self("schemaTooNew")
    /// The store is opened for reading only, and a step of the schema has not run; nothing was
    /// touched.
    public static let schemaTooOld = Self("schemaTooOld")
    /// A step of the schema failed; the store is as it was before that step.
    public static let migrationFailed = Self("migrationFailed")

    // MARK: What is stored

    /// A stored value has another shape than the type that reads it; the record is unchanged.
    public static let wrongType = Self("wrongType")
    /// A type cannot be written as a record; nothing was written.
    public static let notEncodable = Self("notEncodable")
    /// Data that was known to be durable is damaged or missing; nothing was touched.
    public static let corruption = Self("corruption")
    /// A page of the checkpoint is damaged; no data is lost, and the index is made anew from the
    /// journal meanwhile.
    public static let checkpointDamaged = Self("checkpointDamaged")

    // MARK: The store itself

    /// Nothing stands at the path.
    public static let notFound = Self("notFound")
    /// What stands at the path is not a store.
    public static let notAStore = Self("notAStore")
    /// Something stands where a new store should be made; nothing was touched.
    public static let alreadyExists = Self("alreadyExists")
    /// The store is in memory alone, and what was asked for needs files.
    public static let inMemory = Self("inMemory")
    /// The store was written by a newer version; nothing was touched.
    public static let unsupportedVersion = Self("unsupportedVersion")
    /// Another process, or this one, has the store open for writing.
    public static let locked = Self("locked")
    /// The store is open for reading only, or stands on a file system which can only be read.
    public static let readOnly = Self("readOnly")
    /// The store was suspended and has not been resumed; nothing was written.
    public static let suspended = Self("suspended")
    /// A server serves the store, and records are written through the server alone; nothing was
    /// written.
    public static let served = Self("served")
    /// The store was closed.
    public static let closed = Self("closed")
    /// The changes asked for are no longer kept; start again from a snapshot.
    public static let changesCompacted = Self("changesCompacted")

    // MARK: The disk

    /// The disk is full; nothing of the transaction remains.
    public static let diskFull = Self("diskFull")
    /// The system refused access; nothing was created or changed.
    public static let protectedDataUnavailable = Self("protectedDataUnavailable")
    /// A sync failed, so whether this commit survives a power loss is unknown.
    ///
    /// Reads go on; every later write throws this until the store is opened again.
    public static let outcomeUnknown = Self("outcomeUnknown")
    /// The transaction is larger than the store can hold in one; nothing of it remains.
    public static let transactionTooLarge = Self("transactionTooLarge")
    /// A system call failed for another reason.
    public static let inputOutput = Self("inputOutput")
}
