import HoldfastNetwork

/// Who a request is made for, by its bearer token.
public struct Authentication: Sendable {
    /// The principal that a token stands for; `nil` refuses the request with status 401.
    public typealias Provider = @Sendable (_ token: String?) async -> Principal?

    let principal: Provider
    /// Whether requests without a token are answered.
    let isOpen: Bool

    /// Asks `principal` for each request; `token` is `nil` where the request has none.
    ///
    /// It may be called for several requests at once. Compare secrets in constant time.
    public init(_ principal: @escaping Provider) {
        self.principal = principal
        isOpen = false
    }

    private init(open principal: Principal) {
        self.principal = { _ in principal }
        isOpen = true
    }

    /// Everyone who reaches the server is this principal, whatever token they send.
    public static func open(as principal: Principal = Principal("anyone")) -> Self {
        Self(open: principal)
    }

    /// Whoever has one of these tokens is its principal.
    ///
    /// How long the comparison takes does not tell how much of a token was right.
    public static func tokens(_ tokens: [String: Principal]) -> Self {
        let known = tokens.map { (Array($0.key.utf8), $0.value) }
        return Self { token in
            guard let token else { return nil }
            let bytes = Array(token.utf8)
            var found: Principal?
            for (secret, principal) in known where ConstantTime.equals(secret, bytes) {
                found = principal
            }
            return found
        }
    }
}
