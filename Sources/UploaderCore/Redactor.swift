public import Requests

/// Hides known secrets, in every form they take, in text that people read or that is passed on; also the values that
/// sign presigned URLs and forms.
public struct Redactor: Sendable {
  private static let mask = "••••"

  private var search = FormSearch()

  /// Hides these, in every form in which they may be written.
  public init(_ secrets: Set<Secret>) {
    learn(secrets)
  }

  /// Hides texts that are secret, though nobody declared them: wherever they are to go.
  package init(hiding values: some Sequence<String>) {
    self.init(Set(values.map { Secret($0, name: "", for: []) }))
  }

  /// Also hides these from now on.
  public mutating func learn(_ secrets: some Sequence<Secret>) {
    for secret in secrets { search.insert(secret) }
  }

  /// The text with `••••` in place of each secret. It compares bytes, not characters: an accent appended to a secret
  /// does not disguise it.
  public func redact(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var redacted: [UInt8] = []
    var start = 0
    for range in hidden(in: bytes) {
      redacted += bytes[start..<range.lowerBound]
      redacted += Self.mask.utf8
      start = range.upperBound
    }
    return start == 0 ? text : String(decoding: redacted + bytes[start...], as: UTF8.self)
  }

  /// The same for a text in pieces, even if something secret begins in one and ends in another.
  ///
  /// - Returns: the same number of pieces.
  public func redact(_ pieces: [String]) -> [String] {
    let hidden = hidden(in: pieces.flatMap { Array($0.utf8) })
    guard !hidden.isEmpty else { return pieces }
    var ranges = hidden[...]
    var offset = 0
    return pieces.map { piece in
      let bytes = Array(piece.utf8)
      let end = offset + bytes.count
      var redacted: [UInt8] = []
      var position = offset
      while let range = ranges.first, range.lowerBound < end {
        redacted += bytes[(position - offset)..<max(position - offset, range.lowerBound - offset)]
        if range.lowerBound >= offset { redacted += Self.mask.utf8 }
        position = min(range.upperBound, end)
        guard range.upperBound <= end else { break }
        ranges.removeFirst()
      }
      redacted += bytes[(position - offset)...]
      offset = end
      return String(decoding: redacted, as: UTF8.self)
    }
  }

  /// How much of a text that arrives in pieces can be shown before the next one is there: up to where something secret
  /// may have begun.
  package func openEnd(of bytes: [UInt8]) -> Int {
    min(search.openEnd(of: bytes), PresignedValues.openEnd(of: bytes))
  }

  /// Where there is something to hide, in order and disjoint.
  private func hidden(in bytes: [UInt8]) -> [Range<Int>] {
    let ranges =
      PresignedValues.ranges(in: bytes)
      + search.matches(in: bytes).map(\.range).filter { !DeclaringKeyword.isAt($0, in: bytes) }
      // What is there of a header that was cut may be its scheme: nothing of the credential.
      + search.cutOff(in: bytes).filter {
        !AuthenticationScheme.isAll(of: String(decoding: bytes[$0], as: UTF8.self))
      }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
  }
}
