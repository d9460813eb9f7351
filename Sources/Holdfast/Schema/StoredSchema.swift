/// What a store knows of the schema that it was opened with last.
package struct StoredSchema: Hashable, Sendable {
    /// A step that was run.
    package struct Step: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// The version that it started from.
        package let version: Int
    }

    /// The version of the data.
    package var version: Int
    /// Whether more steps of the schema start from the version before, and are still to run.
    package var isBetweenSteps = false
    /// The steps that were run, in their order.
    package var steps: [Step] = []

    init(version: Int) { self.version = version }

    /// Reads what ``object`` wrote; fields of a newer version are ignored.
    ///
    /// - Throws: ``StoreError`` `.corruption` when it has no version.
    init(_ object: JSONObject) throws {
        guard case .integer(let number)? = object["version"], let version = Int(exactly: number)
        else {
            throw StoreError(
                .corruption,
                "The store's note of its schema has no version; run `hold verify`."
            )
        }
        self.version = version
        isBetweenSteps = object["isBetweenSteps"] == .bool(true)
        guard case .array(let steps)? = object["steps"] else { return }
        self.steps = steps.compactMap(Step.init)
    }

    package var object: JSONObject {
        [
            "version": .integer(Int64(version)),
            "isBetweenSteps": .bool(isBetweenSteps),
            "steps": .array(steps.map { .object($0.object) }),
        ]
    }
}

extension StoredSchema.Step {
    fileprivate init?(_ value: JSONValue) {
        guard case .object(let object) = value, case .string(let name)? = object["name"],
            case .integer(let version)? = object["from"]
        else { return nil }
        self.init(name: name, version: Int(clamping: version))
    }

    package var object: JSONObject {
        ["name": .string(name), "from": .integer(Int64(version))]
    }
}
