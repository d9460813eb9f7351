/// A name that is equal to another when its bytes are.
struct FieldName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (first: FieldName, second: FieldName) -> Bool {
        UTF8Order.same(first.text, second.text)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
