/// A type whose values are records of one table.
///
/// ```swift
/// struct Note: Record {
///     static let table: TableName = "notes"
///     var id = RecordID.make()
///     var title = ""
/// }
/// ```
///
/// In a local-first store any record may come from an older version of the app, or of another
/// device's, that lacks a field. What a stored record lacks is taken from `Self()`: a property with
/// a default value that is added later needs nothing more. That fills the record's own fields and
/// those of structs inside it; an optional that is missing is `nil`, and a dictionary is what was
/// stored. Structs inside an array, a dictionary, or an optional that is `nil` by default, and what
/// an enum carries, have no default instance to take from: there a new field is optional, or a step
/// of the ``Schema`` sets it.
///
/// `Self()` is made anew for each record that is read and lacks a field: a default such as
/// `Date.now` or ``RecordID/make()`` is another one at each read, until the record is written back.
/// An `init(from:)` of the type's own gets what is missing where it asks with `decode`; `contains`
/// and `decodeIfPresent` tell what is stored.
///
/// **Queries and indexes see what is stored.** A default fills a field for the program that reads a
/// record, not for a condition: to `where("isDone", .equals, false)` a record that lacks the field
/// has null. Let a step of the ``Schema`` store the default
/// (``WriteTransaction/setDefault(_:for:in:)``) where queries name the field.
///
/// Null is a value that is there, and no default takes its place: a property whose field may become
/// null, as that of a reference with the rule ``Reference/DeleteRule/nullify``, is optional.
///
/// Fields that a stored record has and the type does not know are kept when the record is written
/// back, also those of structs inside it. An array is written as a whole.
public protocol Record: Codable, Sendable, Identifiable where ID == RecordID {
    /// A record with default values.
    ///
    /// It is there by itself where every property has one. A type without natural defaults writes
    /// it once, with what an old record that lacks a field should be read as.
    init()

    /// The table that the records stand in.
    static var table: TableName { get }

    /// The name under which the type's coding writes the id; `id` unless the type says otherwise.
    static var idField: String { get }
}

extension Record {
    /// `id`.
    public static var idField: String { "id" }

    /// Every record of the table, to be narrowed, ordered and limited.
    public static var query: Query<Self> { Query(rowsOf: table) }
}
