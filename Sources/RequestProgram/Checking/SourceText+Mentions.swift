package import Diagnostics
internal import POSIX

extension SourceText {
  /// Whether the word is anywhere in it, in a comment, too: for what need not be looked for otherwise.
  package func mentions(_ word: StaticString) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return memmem(start, bytes.count, word.utf8Start, word.utf8CodeUnitCount) != nil
    }
  }
}
