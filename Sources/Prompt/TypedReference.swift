/// A reference, as far as it has been typed: `$1.body.items[0].na`.
struct TypedReference: Hashable {
  enum Segment: Hashable {
    case name(String)
    case index(Int)
  }

  /// What the cursor is in.
  enum Tail: Hashable {
    /// After the `$`: the name itself is being typed.
    case root
    /// After a dot.
    case member
    /// After `[`, perhaps with a quotation mark.
    case bracket
    /// After a closing `]`: everything typed is complete.
    case complete
  }

  var root = ""
  /// The complete segments.
  var segments: [Segment] = []
  var tail = Tail.root
  /// What was typed of the last segment, without its punctuation.
  var partial = ""
  /// What a completion replaces: the partial name, with the dot or bracket before it.
  var start: String.Index

  /// The reference that ends where the text does; nil if none does, or one that selects many values.
  init?(endOf text: Substring) {
    guard let dollar = text.lastIndex(of: "$") else { return nil }
    start = text.index(after: dollar)
    var rest = text[start...]
    root = String(Self.takeName(&rest))
    if rest.isEmpty {
      partial = root
      return
    }
    while !rest.isEmpty {
      guard take(&rest) else { return nil }
    }
  }

  /// Reads one segment, or as much of it as there is.
  private mutating func take(_ rest: inout Substring) -> Bool {
    start = rest.startIndex
    partial = ""
    switch rest.removeFirst() {
    case ".":
      let name = String(Self.takeName(&rest))
      tail = .member
      if rest.isEmpty { partial = name } else { segments.append(.name(name)) }
      return rest.isEmpty || !name.isEmpty
    case "[":
      return takeBracket(&rest)
    default:
      return false
    }
  }

  private mutating func takeBracket(_ rest: inout Substring) -> Bool {
    tail = .bracket
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      let digits = rest.prefix(while: \.isNumber)
      rest.removeFirst(digits.count)
      if rest.isEmpty {
        partial = String(digits)
        return true
      }
      guard rest.removeFirst() == "]", let index = Int(digits) else { return false }
      segments.append(.index(index))
      tail = .complete
      start = rest.startIndex
      return true
    }
    rest.removeFirst()
    guard let end = rest.firstIndex(of: quote) else {
      partial = String(rest)
      rest = rest[rest.endIndex...]
      return true
    }
    let key = String(rest[..<end])
    rest = rest[rest.index(after: end)...]
    if rest.isEmpty {
      partial = key
      return true
    }
    guard rest.removeFirst() == "]", !key.contains("\\") else { return false }
    segments.append(.name(key))
    tail = .complete
    start = rest.startIndex
    return true
  }

  private static func takeName(_ rest: inout Substring) -> Substring {
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    rest = rest[name.endIndex...]
    return name
  }
}
