/// Where a node is in its document: a normalized path (RFC 9535 §2.7).
public struct JSONLocation: Hashable, Sendable {
  /// A key or an index, starting from the root.
  public enum Step: Hashable, Sendable {
    /// The key of a member.
    case key(String)
    /// From 0.
    case index(Int)
  }

  /// The steps from the root; empty for the root itself.
  public var steps: [Step]

  /// The place that these steps lead to from the root.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// The path that finds only this node, if no key along it occurs twice.
  public var path: JSONPath {
    JSONPath(
      steps.map { step in
        switch step {
        case .key(let key): .child([.name(key)])
        case .index(let index): .child([.index(index)])
        }
      })
  }
}

extension JSONLocation: CustomStringConvertible {
  /// `$['store']['book'][0]`
  public var description: String {
    var text = "$"
    for step in steps {
      switch step {
      case .key(let key): text += "[\(Self.quoted(key))]"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  /// `normal-single-quoted` in its quotes: only what must be escaped is, with lowercase hexadecimal digits.
  static func quoted(_ key: String) -> String {
    var text = "'"
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\u{08}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{0C}": text += "\\f"
      case "\r": text += "\\r"
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\u{00}"..."\u{1F}": text += "\\u\(scalar.value.hex(4))"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}

/// A value and where it was found.
public struct JSONNode: Hashable, Sendable {
  /// Where it was found.
  public var location: JSONLocation
  /// What was found.
  public var value: JSON

  public init(location: JSONLocation, value: JSON) {
    self.location = location
    self.value = value
  }
}

/// The steps to a node while a path is walked: cheap to extend, and made into a location only when one is asked for.
indirect enum JSONTrail {
  case root
  case step(JSONTrail, JSONLocation.Step)

  var location: JSONLocation {
    var steps: [JSONLocation.Step] = []
    var trail = self
    while case .step(let rest, let step) = trail {
      steps.append(step)
      trail = rest
    }
    return JSONLocation(steps.reversed())
  }
}
