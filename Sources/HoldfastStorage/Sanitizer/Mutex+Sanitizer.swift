#if THREAD_SANITIZER
/// The mutex that the thread sanitizer understands; see ``SanitizedMutex``.
typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
