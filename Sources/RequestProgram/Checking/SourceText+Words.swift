package import Diagnostics
internal import POSIX

extension SourceText {
  /// Whether the word is anywhere in it, be it in a comment: what cannot be there need not be looked for in its tree.
  package func mentions(_ word: StaticString) -> Bool {
    var isThere = false
    forEachOffset(of: word) { _ in
      isThere = true
      return false
    }
    return isThere
  }

  /// Where it begins for the last time, in bytes.
  func lastOffset(of word: StaticString) -> Int? {
    var last: Int?
    forEachOffset(of: word) { offset in
      last = offset
      return true
    }
    return last
  }

  /// - Parameter body: returns whether it wants more.
  private func forEachOffset(of word: StaticString, _ body: (Int) -> Bool) {
    let length = word.utf8CodeUnitCount
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var rest = start
      let end = start + bytes.count
      while let first = memchr(rest, Int32(word.utf8Start.pointee), end - rest).map({ UnsafeRawPointer($0) }),
        end - first >= length
      {
        if memcmp(first, word.utf8Start, length) == 0, !body(first - start) { return }
        rest = first + 1
      }
    }
  }
}
