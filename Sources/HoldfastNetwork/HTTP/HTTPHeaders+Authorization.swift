extension HTTPHeaders {
    /// The token of `Authorization: Bearer` (RFC 6750, 2.1); `nil` where there is none, or several.
    package var bearerToken: String? {
        let values = values(of: "Authorization")
        guard values.count == 1, let space = values[0].firstIndex(of: " "),
            values[0][..<space].isSameToken(as: "Bearer")
        else { return nil }
        let token = values[0][space...].drop { $0 == " " }
        return token.isEmpty ? nil : String(token)
    }
}

/// Comparisons whose time does not tell where they ended.
package enum ConstantTime {
    /// Whether the bytes are the same; the time depends on the numbers of bytes alone.
    package static func equals(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard first.count == second.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(first, second) { difference |= left ^ right }
        return difference == 0
    }
}
