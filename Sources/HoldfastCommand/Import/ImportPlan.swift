import Holdfast

/// What an import was asked to do.
struct ImportPlan: Sendable {
    let path: String
    let table: TableName
    let file: String
    let format: RecordFormat?
    let idField: String?
    let batchSize: Int
    let acknowledgement: AcknowledgementStyle?
    let skipsBad: Bool
}
