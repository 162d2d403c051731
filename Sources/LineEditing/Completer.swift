/// Finds possible completions at the cursor. Pure: the same line gives the same result, and nothing is changed or
/// printed.
public protocol Completer: Sendable {
  /// What could replace a part of `line` that ends at, or contains, `cursor`.
  func completions(of line: String, at cursor: String.Index) -> Completions
}

/// Completes nothing.
public struct NoCompleter: Completer {
  public init() {}

  public func completions(of line: String, at cursor: String.Index) -> Completions {
    Completions(replacing: cursor..<cursor, candidates: [])
  }
}

/// Candidates for one place of a line.
public struct Completions: Sendable, Hashable {
  /// The part of the line that a candidate replaces.
  public var range: Range<String.Index>
  /// In the order in which they are to be listed.
  public var candidates: [Candidate]

  public init(replacing range: Range<String.Index>, candidates: [Candidate]) {
    self.range = range
    self.candidates = candidates
  }

  /// One possible completion.
  public struct Candidate: Sendable, Hashable {
    /// The text that is inserted into the line.
    public var text: String
    /// What the list shows for it.
    public var display: String
    /// A preview of what it represents, shown dimmed beside it; empty if there is none.
    public var preview: String
    /// What follows `text` when it is the only candidate, such as a space.
    public var terminator: String

    public init(_ text: String, display: String? = nil, preview: String = "", terminator: String = "") {
      self.text = text
      self.display = display ?? text
      self.preview = preview
      self.terminator = terminator
    }
  }
}

extension Completions {
  /// What a Tab does.
  enum Outcome: Hashable {
    /// There is nothing to offer.
    case nothing
    /// The part `range` is replaced by this text.
    case replace(String)
    /// The text cannot be completed any further: show the possibilities.
    case list
  }

  /// What leads on after the only candidate, `.`, `[` or `(`; nil: nothing does.
  var openMark: Unicode.Scalar? {
    guard candidates.count == 1, let mark = candidates[0].terminator.unicodeScalars.first else { return nil }
    return [".", "[", "("].contains(mark) ? mark : nil
  }

  /// What a Tab does in `line`: insert what all candidates have in common, or else list them.
  func outcome(in line: String) -> Outcome {
    guard let first = candidates.first else { return .nothing }
    let current = line[range]
    if candidates.count == 1 {
      let text = first.text + first.terminator
      return text == current ? .nothing : .replace(text)
    }
    let common = candidates.dropFirst().reduce(first.text[...]) { prefix, candidate in
      Self.commonPrefix(prefix, candidate.text)
    }
    return common.count > current.count ? .replace(String(common)) : .list
  }

  private static func commonPrefix(_ one: Substring, _ other: String) -> Substring {
    var end = one.startIndex
    for (left, right) in zip(one, other) {
      guard left == right else { break }
      end = one.index(after: end)
    }
    return one[..<end]
  }
}
