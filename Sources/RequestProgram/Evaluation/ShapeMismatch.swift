import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// One place where a value does not have its shape.
struct ShapeMismatch: Hashable {
  /// The path after the value: `.snapshot.url`, `[0].id`, or nothing.
  var path: String
  var expected: String
  var actual: String
}

extension Evaluator {
  /// Where the value differs from the shape; empty: nowhere.
  ///
  /// - Parameter name: what the value is called; nil: nothing.
  func mismatches(
    _ value: Value, _ shape: ShapeSyntax, named name: String? = nil
  ) throws(ProgramError) -> [ShapeMismatch] {
    guard let json = value.json else {
      let isFine = shape.kind == .named(.any)
      return isFine ? [] : [ShapeMismatch(path: "", expected: describe(shape), actual: value.kind)]
    }
    let found = try mismatches(json, shape, "", name)
    if value.isOpen { return found }
    // Its names may be secret too.
    return found.map {
      ShapeMismatch(path: $0.path.isEmpty ? "" : ".\(Value.mask)", expected: $0.expected, actual: Value.mask)
    }
  }

  private func mismatches(
    _ json: JSON, _ shape: ShapeSyntax, _ path: String, _ name: String?
  ) throws(ProgramError) -> [ShapeMismatch] {
    func mismatch() -> [ShapeMismatch] {
      [ShapeMismatch(path: path, expected: describe(shape), actual: Value(json).shown(limit: 60, named: name))]
    }
    switch shape.kind {
    case .named(let name): return matches(json, name) ? [] : mismatch()
    case .boolean(let value): return json == .bool(value) ? [] : mismatch()
    case .string(let string): return json == .string(try text(.string(string)).text) ? [] : mismatch()
    case .number(let text): return JSONNumber(text).map { json == .number($0) } ?? false ? [] : mismatch()
    // What its file says is compared by whoever judges the step.
    case .snapshot: return mismatch()
    case .either(let choices):
      for choice in choices where try mismatches(json, choice, path, name).isEmpty { return [] }
      return mismatch()
    case .array(let element):
      guard case .array(let elements) = json else { return mismatch() }
      var found: [ShapeMismatch] = []
      guard let element else { return elements.isEmpty ? [] : mismatch() }
      for (index, value) in elements.enumerated() {
        found += try mismatches(value, element, "\(path)[\(index)]", name)
      }
      return found
    case .object(let members, let isOpen):
      guard case .object(let object) = json else { return mismatch() }
      return try mismatches(object, members, isOpen: isOpen, path)
    }
  }

  private func mismatches(
    _ object: JSONObject, _ members: [ShapeSyntax.Member], isOpen: Bool, _ path: String
  ) throws(ProgramError) -> [ShapeMismatch] {
    var found: [ShapeMismatch] = []
    var known: Set<String> = []
    for member in members {
      let key = try text(of: member.key).text
      known.insert(key)
      if let value = object[key] {
        found += try mismatches(value, member.shape, "\(path).\(key)", key)
      } else if !member.isOptional {
        found.append(ShapeMismatch(path: "\(path).\(key)", expected: describe(member.shape), actual: "missing"))
      }
    }
    for key in object.keys where !isOpen && !known.contains(key) {
      found.append(
        ShapeMismatch(
          path: "\(path).\(key)", expected: "no such key",
          actual: Value(object[key] ?? .null).shown(limit: 60, named: key)))
    }
    return found
  }

  private func matches(_ json: JSON, _ name: ShapeSyntax.Named) -> Bool {
    switch (name, json) {
    case (.any, _), (.null, .null), (.bool, .bool), (.number, .number), (.string, .string): true
    case (.int, .number(let number)): number.isInteger
    case (.float, .number(let number)): number.text.contains { ".eE".contains($0) }
    case (.url, .string(let text)): text.isURL
    case (.datetime, .string(let text)): DateText.rfc3339(text) != nil
    default: false
    }
  }

  private func describe(_ shape: ShapeSyntax) -> String {
    let text = source[shape.range]
    return text.count > 60 ? "\(text.prefix(60))…" : text
  }
}

extension JSONNumber {
  /// Whether it has no fraction, whatever its size.
  fileprivate var isInteger: Bool {
    int != nil || (double.map { $0 == $0.rounded() && abs($0) >= 9e15 } ?? false)
  }
}

extension String {
  /// Whether this is an absolute HTTP URL with a host, without spaces and control characters.
  var isURL: Bool {
    var text = self
    return text.withUTF8 { bytes in
      func begins(_ start: StaticString) -> Bool {
        bytes.prefix(start.utf8CodeUnitCount).elementsEqual(start.withUTF8Buffer { $0 }) { byte, wanted in
          byte == wanted || (byte | 0x20 == wanted && UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte)
        }
      }
      guard begins("http://") || begins("https://") else { return false }
      let rest = bytes.dropFirst(begins("http://") ? 7 : 8)
      guard let first = rest.first, !"/?#".utf8.contains(first) else { return false }
      return rest.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
  }
}
