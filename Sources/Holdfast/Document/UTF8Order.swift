/// Text compared as its UTF-8 bytes.
///
/// Swift's own `==` and `<` compare what text looks like: an `é` written as one scalar equals an
/// `e` with a combining accent. To a store these are two texts.
package enum UTF8Order {
    /// Whether two texts have the same bytes.
    package static func same(_ first: String, _ second: String) -> Bool {
        // What Swift takes for different is; most texts that are compared are short and differ, and
        // that is a comparison of two words.
        guard first.utf8.count == second.utf8.count, first == second else { return false }
        return first.withByteView { left in
            second.withByteView { right in left.isEqual(to: right) }
        }
    }

    /// The order of two texts by their bytes.
    package static func order(_ first: String, _ second: String) -> ValueOrder {
        first.withByteView { left in
            second.withByteView { right in left.order(to: right) }
        }
    }
}
