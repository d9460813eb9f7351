/// Where a server listens, whom it knows, and what it bears with.
///
/// The defaults suit a server behind a proxy on the same machine, which has the TLS.
public struct ListenerConfiguration: Sendable {
    /// The address: of this machine alone, unless told otherwise.
    ///
    /// The default is `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The port; 0 lets the system choose one.
    ///
    /// The default is 8080.
    public var port = 8080
    /// Whom requests are made for.
    public var authentication: Authentication
    /// How many connections there may be at once; one more is answered with 503.
    ///
    /// The default is 4,096.
    public var maximumConnections = 4_096
    /// How long a connection may wait between two requests.
    ///
    /// The default is 75 s.
    public var idleTimeout = Duration.seconds(75)
    /// How long a request's head may take from its first byte on.
    ///
    /// The default is 10 s.
    public var headTimeout = Duration.seconds(10)
    /// How long a request's body may take.
    ///
    /// The default is 60 s.
    public var bodyTimeout = Duration.seconds(60)
    /// How long a client may take nothing of a response.
    ///
    /// The default is 30 s.
    public var writeTimeout = Duration.seconds(30)
    /// How long a request for changes may wait for a first one, whatever it asks for.
    ///
    /// The default is 50 s, less than proxies wait.
    public var longestWait = Duration.seconds(50)
    /// How often a feed is told that its line is alive.
    ///
    /// The default is 20 s.
    public var pingInterval = Duration.seconds(20)
    /// How long a feed goes on, before its client opens it anew.
    ///
    /// There are clients that cannot close a line which they have no use for any more. It ends with
    /// the first hint or ping after this time; the default is 10 minutes.
    public var feedLifetime = Duration.seconds(600)
    /// Is told of each request when its response is sent.
    public var accessLog: (@Sendable (AccessRecord) -> Void)?

    /// The defaults, for these principals.
    public init(authentication: Authentication) { self.authentication = authentication }
}
