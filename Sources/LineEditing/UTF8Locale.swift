internal import POSIX

/// Runs `body` with UTF-8 as the calling thread's character encoding.
///
/// libedit reads, draws and measures by the locale, and under `LC_ALL=C` takes every byte for a character. The
/// process's own locale stays as it is.
func withUTF8Locale<Result>(_ body: () throws -> Result) rethrows -> Result {
  guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) ?? newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nil)
  else { return try body() }
  let previous = uselocale(locale)
  defer {
    uselocale(previous)
    freelocale(locale)
  }
  return try body()
}
