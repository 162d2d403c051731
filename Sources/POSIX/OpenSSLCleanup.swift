/// What OpenSSL does when the process exits, in the libraries that use it.
package enum OpenSSLCleanup {
  /// Keeps it from cleaning up: it frees what belongs to its threads, and a thread that ends at that moment frees it as
  /// well. The memory goes with the process.
  ///
  /// It counts only before anything else is asked of OpenSSL.
  ///
  /// - Parameter library: what `dlopen` returned for one that may use OpenSSL.
  package static func prevent(in library: UnsafeMutableRawPointer) {
    typealias Function = @convention(c) (_ options: UInt64, _ settings: UnsafeRawPointer?) -> Int32
    guard let function = dlsym(library, "OPENSSL_init_crypto") else { return }
    // OPENSSL_INIT_NO_ATEXIT (openssl/crypto.h).
    _ = unsafeBitCast(function, to: Function.self)(0x0008_0000, nil)
  }
}
