#if THREAD_SANITIZER
import HoldfastStorage

/// The mutex that the thread sanitizer understands; see `SanitizedMutex`.
typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
