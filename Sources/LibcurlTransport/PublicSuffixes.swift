internal import CCurl
internal import POSIX

/// The list of public suffixes (publicsuffix.org) inside libpsl, which libcurl includes for its own cookies.
enum PublicSuffixes {
  private typealias Builtin = @convention(c) () -> OpaquePointer?
  private typealias Check = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> Int32

  /// Whether the name is one; true for every name if this libcurl has no list.
  static func contains(_ domain: String) -> Bool {
    guard let check, let list = list?() else { return true }
    return check(list, domain) != 0
  }

  private static let list: Builtin? = symbol("psl_builtin")
  private static let check: Check? = symbol("psl_is_public_suffix")

  /// libpsl is looked up, not linked: it is libcurl's dependency, and not every libcurl has it.
  private static func symbol<Function>(_ name: String) -> Function? {
    // SAFETY: the types above are those of libpsl.h, the same since its first release.
    dlsym(curl_library(), name).map { unsafeBitCast($0, to: Function.self) }
  }
}
