import RequestSyntax
import Requests

/// How the condition of `stream until` reads a response: `body[-1].done` needs the last event and no other.
struct StreamCondition {
  /// What it reads at a time.
  let reading: StreamReading
  /// Whether it has held once it held of any event or line, or of any part of the text.
  let staysTrue: Bool

  private init(_ reading: StreamReading, staysTrue: Bool = false) {
    self.reading = reading
    self.staysTrue = staysTrue
  }

  /// What is asked of each event is found where nothing turns it around: at the top, and below `or`.
  ///
  /// - Parameter label: what the response is called in the condition; nil: it has no name.
  init(_ condition: ExpressionSyntax, ofStep label: String?) {
    switch condition {
    case .parenthesized(let node): self.init(node.inner, ofStep: label)
    case .binary(let node) where node.operator == .or:
      let (left, right) = (Self(node.left, ofStep: label), Self(node.right, ofStep: label))
      self.init(left.reading.joined(with: right.reading), staysTrue: left.staysTrue || right.staysTrue)
    case .binary(let node) where node.operator == .and:
      let (left, right) = (Self(node.left, ofStep: label), Self(node.right, ofStep: label))
      if left.reading == .head {
        self = right
      } else if right.reading == .head {
        self = left
      } else {
        // What holds of one event may hold together with what held of another.
        self.init(left.staysTrue || right.staysTrue ? .everything : left.reading.joined(with: right.reading))
      }
    default:
      let asked = condition.askedOfEach
      if let asked, StreamReading(asked, ofStep: label) == .head {
        self.init(.items(1), staysTrue: true)
      } else if let count = condition.lengthContained {
        self.init(.bytes(count), staysTrue: true)
      } else {
        self.init(StreamReading(condition, ofStep: label))
      }
    }
  }
}

extension StreamReading {
  /// What an expression reads of the response as it is so far.
  fileprivate init(_ expression: ExpressionSyntax, ofStep label: String?) {
    var reading = StreamReading.head
    var base: ExpressionSyntax?
    switch expression {
    case .member(let name) where name.isOfBody: reading = .everything
    case .reference(let node) where node.root.text == label: reading = .everything
    case .binary(let node) where node.operator == .endsWith && node.left.isText:
      if let count = node.right.length { reading = .bytes(count) }
      base = node.left
    case .pipe(let node) where node.input.isBody && node.call.name.text == "last":
      reading = .items(1)
      base = node.input
    case .path(let node) where node.base.isBody && !node.segments.contains(where: \.readsRoot):
      guard let count = node.segments.first?.fromEnd else { break }
      reading = .items(count)
      base = node.base
    default: break
    }
    expression.forEachInside { part in
      if part != base { reading = reading.joined(with: StreamReading(part, ofStep: label)) }
    }
    self = reading
  }

  fileprivate func joined(with other: StreamReading) -> StreamReading {
    switch (self, other) {
    case (.head, let other), (let other, .head): other
    case (.items(let left), .items(let right)): .items(max(left, right))
    case (.bytes(let left), .bytes(let right)): .bytes(max(left, right))
    default: .everything
    }
  }
}

extension ExpressionSyntax {
  fileprivate var isBody: Bool { if case .member(let name) = self { name.text == "body" } else { false } }
  fileprivate var isText: Bool { if case .member(let name) = self { name.text == "text" } else { false } }

  /// What is asked of each event, or of something in each, until it holds of one; nil: it asks something else.
  fileprivate var askedOfEach: ExpressionSyntax? {
    switch self {
    case .quantified(let node) where !node.isUniversal && node.items.isOfEach: node.condition
    case .binary(let node) where node.operator == .contains && node.left.isOfEach: node.right
    case .binary(let node) where node.operator == .in && node.right.isOfEach: node.left
    default: nil
    }
  }

  /// Whether it is all events or values, or something of each.
  private var isOfEach: Bool {
    switch self {
    case .parenthesized(let node): node.inner.isOfEach
    case .path(let node): node.base.isBody && node.segments.first?.isOfEach ?? true
    default: isBody
    }
  }

  /// How many bytes of the text show whether it contains a text that is written out; nil: it asks something else.
  fileprivate var lengthContained: Int? {
    guard case .binary(let node) = self, node.operator == .contains, node.left.isText else { return nil }
    return node.right.length
  }

  /// How many bytes a text that is written out has at most: four times as many in UTF-32 as in UTF-8.
  fileprivate var length: Int? {
    guard case .string(let string) = self, let text = string.plainText else { return nil }
    return 4 * text.utf8.count
  }
}

extension NameSyntax {
  fileprivate var isOfBody: Bool { ["body", "text", "bytes", "size"].contains(text) }
}

extension SegmentSyntax {
  private var onlySelector: SelectorSyntax.Kind? {
    guard case .bracket(let selectors, isDescendant: false) = kind, selectors.count == 1 else { return nil }
    return selectors[0].kind
  }

  /// Which from the end it selects: 1 for the last; nil: it is not counted from there.
  fileprivate var fromEnd: Int? {
    guard case .index(let index) = onlySelector, (Int.min + 1..<0).contains(index) else { return nil }
    return -index
  }

  fileprivate var isOfEach: Bool {
    if case .wildcard = kind { return true }
    return switch onlySelector {
    case .wildcard: true
    case .filter: !readsRoot
    default: false
    }
  }

  /// Whether a filter in it begins at the root, which is all of the body.
  fileprivate var readsRoot: Bool {
    guard case .bracket(let selectors, _) = kind else { return false }
    return selectors.contains { if case .filter(let text) = $0.kind { text.contains("$") } else { false } }
  }
}
