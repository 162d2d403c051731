/// Where in a JSON body an item goes, as HTTPie writes it in the item's key: `user[name]`, `a[0][b]`, `list[]`.
struct ItemPath: Hashable {
  enum Step: Hashable {
    case key(String)
    case index(Int)
    case append
  }

  /// The first is never missing.
  private(set) var steps: [Step]

  /// - Throws: what is wrong with the key, as a sentence without its subject.
  init(_ key: String) throws(ItemError) {
    var tokens = try Self.tokens(of: key)[...]
    steps = []
    if case .text(let name)? = tokens.first {
      tokens.removeFirst()
      steps.append(.key(name.text))
    } else if tokens.isEmpty {
      steps.append(.key(""))
    }
    while let token = tokens.popFirst() {
      guard token == .open else { throw .malformedKey(key, "a \"[\" is missing after \"]\"") }
      switch tokens.popFirst() {
      case .close?: steps.append(.append)
      case .text(let name)?:
        guard tokens.popFirst() == .close else { throw .malformedKey(key, "a \"]\" is missing") }
        if let index = name.index {
          guard index >= 0 else { throw .malformedKey(key, "an index is not negative") }
          guard index <= Self.largestIndex else { throw .malformedKey(key, "an index is at most \(Self.largestIndex)") }
          steps.append(.index(index))
        } else if steps.isEmpty {
          throw .malformedKey(key, "it begins with a name, [] or [0]")
        } else {
          steps.append(.key(name.text))
        }
      case .open?: throw .malformedKey(key, "a \"]\" is missing")
      case nil: throw .malformedKey(key, "a \"]\" is missing")
      }
    }
  }

  /// What is before it is filled with `null`.
  private static let largestIndex = 9_999

  /// The path up to a step, as it is written.
  func text(upTo count: Int) -> String {
    steps.prefix(count).enumerated().map { index, step in
      switch step {
      case .key(let name): index == 0 ? name : "[\(name)]"
      case .index(let index): "[\(index)]"
      case .append: "[]"
      }
    }.joined()
  }

  // MARK: Tokens

  private struct Name: Hashable {
    var text: String
    /// As a number, if nothing in it has a backslash.
    var index: Int?
  }

  private enum Token: Hashable {
    case open, close
    case text(Name)
  }

  private static func tokens(of key: String) throws(ItemError) -> [Token] {
    var tokens: [Token] = []
    var text = ""
    var isEscaped = false
    func flush() {
      defer { (text, isEscaped) = ("", false) }
      guard !text.isEmpty else { return }
      if !isEscaped, text.hasPrefix("\\"), Int(text.dropFirst()) != nil {
        tokens.append(.text(Name(text: String(text.dropFirst()), index: nil)))
      } else {
        tokens.append(.text(Name(text: text, index: isEscaped ? nil : number(text))))
      }
    }
    var rest = key[...]
    while let character = rest.popFirst() {
      switch character {
      case "[", "]":
        flush()
        tokens.append(character == "[" ? .open : .close)
      case "\\":
        guard let next = rest.popFirst() else { throw .malformedKey(key, "nothing follows the last \"\\\"") }
        if "[]\\".contains(next) { isEscaped = true } else { text.append("\\") }
        text.append(next)
      default: text.append(character)
      }
    }
    flush()
    return tokens
  }

  /// A number as Python reads it: ` 1 ` and `1_0` are some.
  private static func number(_ text: String) -> Int? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1 else { return nil }
    let groups = words[0].split(separator: "_", omittingEmptySubsequences: false)
    guard groups.dropFirst().allSatisfy({ $0.first?.isNumber ?? false }),
      groups.dropLast().allSatisfy({ $0.last?.isNumber ?? false })
    else { return nil }
    return Int(groups.joined())
  }
}
