import HoldfastStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Every call to the system about sockets; nothing here blocks but ``poll(_:timeout:)`` and
/// ``resolve(_:port:passive:)``.
enum SocketCalls {
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    /// A peer that went away is an error of the call, and no signal that ends the process.
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    // MARK: Opening

    /// The addresses of a host, in the system's order; it may ask the network, and blocks.
    static func resolve(
        _ host: String,
        port: Int,
        passive: Bool
    ) throws(SystemCallError) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = stream
        unsafe hints.ai_flags = passive ? AI_PASSIVE : 0
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw .failed("getaddrinfo", code == EAI_SYSTEM ? errno : ENXIO)
        }
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        var addresses: [SocketAddress] = []
        var entry = unsafe list
        while let info = unsafe entry {
            let length = unsafe Int(info.pointee.ai_addrlen)
            if let address = unsafe info.pointee.ai_addr {
                let bytes = unsafe UnsafeRawBufferPointer(start: address, count: length)
                addresses.append(
                    SocketAddress(
                        family: unsafe info.pointee.ai_family,
                        bytes: unsafe Array(bytes)
                    )
                )
            }
            unsafe entry = info.pointee.ai_next
        }
        return addresses
    }

    /// A socket that never blocks and that no started program inherits.
    static func open(_ family: Int32) throws(SystemCallError) -> Int32 {
        let descriptor = socket(family, stream, 0)
        guard descriptor >= 0 else { throw .last("socket") }
        do throws(SystemCallError) {
            try prepare(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func prepare(_ descriptor: Int32) throws(SystemCallError) {
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else { throw .last("fcntl") }
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        #if canImport(Darwin)
        set(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
        #endif
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        _ = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    static func listen(
        _ descriptor: Int32,
        at address: SocketAddress,
        backlog: Int32
    ) throws(SystemCallError) {
        // A server that is started again takes its port although connections of before linger.
        set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        let bound = unsafe address.withPointer { unsafe bind(descriptor, $0, $1) }
        guard bound == 0 else { throw .last("bind") }
        #if canImport(Glibc)
        let listening = Glibc.listen(descriptor, backlog)
        #elseif canImport(Musl)
        let listening = Musl.listen(descriptor, backlog)
        #else
        let listening = Darwin.listen(descriptor, backlog)
        #endif
        guard listening == 0 else { throw .last("listen") }
    }

    /// A connection that waits to be taken; `nil` when there is none.
    static func accept(_ descriptor: Int32) throws(SystemCallError) -> Int32? {
        while true {
            #if canImport(Glibc)
            let accepted = Glibc.accept(descriptor, nil, nil)
            #elseif canImport(Musl)
            let accepted = Musl.accept(descriptor, nil, nil)
            #else
            let accepted = Darwin.accept(descriptor, nil, nil)
            #endif
            if accepted >= 0 {
                do throws(SystemCallError) {
                    try prepare(accepted)
                } catch {
                    close(accepted)
                    continue
                }
                return accepted
            }
            switch errno {
            case EINTR, ECONNABORTED, EPROTO: continue
            case EAGAIN, EWOULDBLOCK: return nil
            default: throw .last("accept")
            }
        }
    }

    /// Begins to connect.
    ///
    /// - Returns: Whether it is connected already; otherwise ``failure(of:)`` tells, once the socket
    ///   can be written.
    static func connect(
        _ descriptor: Int32,
        to address: SocketAddress
    ) throws(SystemCallError) -> Bool {
        #if canImport(Glibc)
        let result = unsafe address.withPointer { unsafe Glibc.connect(descriptor, $0, $1) }
        #elseif canImport(Musl)
        let result = unsafe address.withPointer { unsafe Musl.connect(descriptor, $0, $1) }
        #else
        let result = unsafe address.withPointer { unsafe Darwin.connect(descriptor, $0, $1) }
        #endif
        if result == 0 { return true }
        guard errno == EINPROGRESS || errno == EINTR else { throw .last("connect") }
        return false
    }

    /// Why connecting failed; `nil` when it did not.
    static func failure(of descriptor: Int32) -> SystemCallError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if result != 0 { return .last("getsockopt") }
        if code == 0 { return nil }
        return .failed("connect", code)
    }

    /// The port that a socket is bound to.
    static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0 else { return nil }
        return unsafe withUnsafeBytes(of: &storage) {
            unsafe Int($0[2]) << 8 | Int($0[3])
        }
    }

    // MARK: Moving bytes

    /// What was received: nothing at the end of the stream, `nil` when there is nothing yet.
    static func receive(_ descriptor: Int32, atMost limit: Int) throws(SystemCallError) -> [UInt8]?
    {
        while true {
            var count = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
                count = unsafe recv(descriptor, buffer.baseAddress, limit, 0)
                initialized = max(0, count)
            }
            if count >= 0 { return bytes }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return nil
            default: throw .last("recv")
            }
        }
    }

    /// How many of the bytes from `start` on were taken; `nil` when none can be yet.
    static func send(
        _ descriptor: Int32,
        _ bytes: [UInt8],
        from start: Int
    ) throws(SystemCallError) -> Int? {
        while true {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                #if canImport(Glibc)
                return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, sendFlags)
                #elseif canImport(Musl)
                return unsafe Musl.send(descriptor, rest.baseAddress, rest.count, sendFlags)
                #else
                return unsafe Darwin.send(descriptor, rest.baseAddress, rest.count, sendFlags)
                #endif
            }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return nil
            default: throw .last("send")
            }
        }
    }

    /// Whether a connection on which nothing is expected is still of use: neither closed by the
    /// other end, nor with bytes that nobody asked for.
    static func isQuiet(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    // MARK: Waiting

    /// A condition that a thread waits for.
    struct Watched {
        let descriptor: Int32
        let forWriting: Bool
    }

    /// Waits until one is ready, in which an error and an end count, and says of each whether it is.
    ///
    /// The timeout is in milliseconds; `-1` waits for ever.
    static func poll(_ watched: [Watched], timeout: Int32) -> [Bool] {
        var entries = watched.map { item in
            pollfd(
                fd: item.descriptor,
                events: Int16(item.forWriting ? POLLOUT : POLLIN),
                revents: 0
            )
        }
        #if canImport(Glibc)
        let count = unsafe Glibc.poll(&entries, nfds_t(entries.count), timeout)
        #elseif canImport(Musl)
        let count = unsafe Musl.poll(&entries, nfds_t(entries.count), timeout)
        #else
        let count = unsafe Darwin.poll(&entries, nfds_t(entries.count), timeout)
        #endif
        return entries.map { count > 0 && $0.revents != 0 }
    }

    /// A pipe whose ends never block: what is written to the second wakes who polls the first.
    static func wakePipe() throws(SystemCallError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }

    /// Wakes; a pipe that is full wakes already.
    static func wake(_ writingEnd: Int32) {
        var byte: UInt8 = 1
        _ = unsafe write(writingEnd, &byte, 1)
    }

    /// Takes all that was written to a pipe.
    static func drain(_ readingEnd: Int32) {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while unsafe read(readingEnd, &bytes, bytes.count) == bytes.count {}
    }

    // MARK: Ending

    /// Ends both directions at once, which wakes who waits; the number stays taken.
    static func shutDown(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Says that nothing more will be sent.
    static func finishSending(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #else
        _ = Darwin.close(descriptor)
        #endif
    }

    // MARK: Threads

    /// Runs `body` on a thread of its own.
    static func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let box = unsafe Unmanaged.passRetained(ThreadBody(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(&thread, nil, threadMain, box.toOpaque())
        guard code == 0 else {
            unsafe box.release()
            throw .failed("pthread_create", code)
        }
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }

    /// Lets this process have as many descriptors as the system allows it.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
    }
}

/// `errno`, under a name that no property of an error hides.
private var lastErrorNumber: Int32 { errno }

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
#else
private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
#endif

extension SystemCallError {
    /// The last failed call of this thread.
    fileprivate static func last(_ call: String) -> SystemCallError {
        failed(call, lastErrorNumber)
    }

    fileprivate static func failed(_ call: String, _ code: Int32) -> SystemCallError {
        SystemCallError(call: call, path: "socket", errno: SystemErrorNumber(rawValue: code))
    }
}
