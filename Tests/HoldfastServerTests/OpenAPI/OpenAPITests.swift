import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Testing

/// openapi.yaml says what the server takes and answers, to the last field.
@Suite struct OpenAPITests {
    private let document: OpenAPIDocument

    init() throws { document = try OpenAPIDocument() }

    /// What the description says of a request and its response.
    private func problems(
        _ request: HTTPRequest,
        _ response: HTTPResponse
    ) throws -> [String] {
        let target = try HTTPTarget(request.head.target)
        let (path, method) = (target.path, request.head.method.lowercased())
        var problems: [String] = []
        if !request.body.isEmpty, response.status == 200 {
            let schema = document.schema(path, method, status: nil, type: "application/json")
            let body = try JSONObject(parsing: String(decoding: request.body, as: UTF8.self))
            problems += document.problems(.object(body), try #require(schema))
        }
        if response.status == 200 {
            let names = document.parameters(path, method).map { $0["name"] }
            for item in target.query where !names.contains(.string(item.name)) {
                problems.append("\(path) has no parameter \(item.name)")
            }
        }
        let type = response.head.headers["Content-Type"].map { $0.split(separator: ";")[0] }
        let schema = document.schema(
            path,
            method,
            status: response.status,
            type: String(type ?? "")
        )
        guard let schema else { return problems + ["\(path) has no answer of \(type ?? "-")"] }
        if schema["type"] == "string" { return problems }
        return problems + document.problems(.object(try response.json), schema)
    }

    @Test(arguments: [("## A session\n", true), ("## A session of two forms\n", false)])
    func everyMessageOfTheProtocolsSessionsFits(title: String, knowsSchema: Bool) async throws {
        let served = try await ServedStore(ProtocolDocument.server(knowsSchema: knowsSchema))
        var count = 0
        for block in try ProtocolDocument.blocks(behind: title) where block.isRequest {
            let request = block.request(token: "ann")
            let response = try await served.send(request)
            #expect(try problems(request, response) == [], "\(block.head)")
            count += 1
        }
        #expect(count >= 5)
    }

    @Test func everyOperationAndEveryRouteIsInTheDescription() async throws {
        let served = try await ServedStore()
        let queries = [
            "/sync/changes": "?client=c&scope=all&limit=5&table=notes",
            "/sync/snapshot": "?client=c&scope=all&limit=5&table=notes",
            "/sync/records": "?client=c&table=notes&id=a&id=b",
        ]
        let paths = Set(document.operations.map(\.path))
        #expect(paths == Set(SyncListener.paths))
        for (path, method) in document.operations where path != "/sync/feed" {
            var head = HTTPRequestHead(
                method: method.uppercased(),
                target: path + (queries[path] ?? ""),
                headers: ["Authorization": "Bearer ann", "Content-Type": "application/json"]
            )
            let body = method == "post" ? Array(try await served.pushText(1).utf8) : []
            let response = try await served.send(HTTPRequest(head, body: body))
            #expect(response.status == 200, "\(path)")
            #expect(try problems(HTTPRequest(head, body: body), response) == [], "\(path)")
            head.headers = [:]
            let refused = try await served.send(HTTPRequest(head))
            let isPublic = document.root["paths"][path][method]["security"] == []
            #expect((refused.status == 401) == !isPublic, "\(path)")
            #expect(try problems(HTTPRequest(head), refused) == [], "\(path)")
        }
    }

    @Test func aMessageThatDoesNotFitIsSeen() throws {
        let schema = try #require(
            document.schema("/sync/hello", "get", status: 200, type: "application/json")
        )
        #expect(document.problems([:], schema).count == 8)
        let wrong: JSONValue = ["dataset": 5, "epoch": "", "extra": true]
        let problems = document.problems(wrong, schema)
        #expect(problems.contains("/dataset: has another type than \"string\""))
        #expect(problems.contains("/epoch: is out of bounds"))
        #expect(problems.contains("/extra: is not in the description"))
    }

    @Test(arguments: ["a: {b: c}", "a: &x b", "a:\nb: c", "a: 'b'", "- a\n  - b", "a: b\na: c"])
    func theReaderOfYAMLRefusesWhatItDoesNotKnow(text: String) {
        #expect(throws: YAMLReader.Failure.self) { try YAMLReader.read(text) }
    }
}
