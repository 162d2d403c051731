import JSONValue
import RequestSyntax
import Requests

/// The shape of a value as a snapshot keeps it: what it is, except for what may not leave.
struct ShapeInference {
  /// How many alternatives are written out; more are their type.
  static let mostChoices = 8

  /// Whether something secret is in a text of the value.
  let isSecret: (String) -> Bool
  /// Whether the value as a whole was made from a secret, so that only its kinds are written.
  var isHidden = false

  func shape(of json: JSON) -> ShapeSyntax { shape(of: json, isHidden: hides) }

  private var hides: Bool {
    switch Outlet.snapshot.treatment {
    case .accompanied: false
    case .hidden, .refused: isHidden
    }
  }

  private func shape(of json: JSON, isHidden: Bool) -> ShapeSyntax {
    switch json {
    case .null: return ShapeSyntax(.named(.null))
    case .bool(let value): return ShapeSyntax(.boolean(value))
    case .number(let number):
      let isSecret = isHidden || isSecret(number.text)
      return ShapeSyntax(isSecret ? .named(.number) : .number(number.text))
    case .string(let text):
      return ShapeSyntax(isHidden || isSecret(text) ? .named(.string) : .string(StringSyntax(text)))
    case .array(let elements):
      let shapes = elements.map { shape(of: $0, isHidden: isHidden) }
      guard let first = shapes.first else { return ShapeSyntax(.array(nil)) }
      return ShapeSyntax(.array(shapes.dropFirst().reduce(first, Self.merged)))
    case .object(let object):
      var members: [ShapeSyntax.Member] = []
      var isOpen = false
      for member in object.members {
        if isHidden || isSecret(member.key) {
          isOpen = true
          continue
        }
        let hides = SensitiveName.contains(member.key)
        members.append(.init(member.key, shape(of: member.value, isHidden: hides)))
      }
      return ShapeSyntax(.object(members, isOpen: isOpen))
    }
  }

  // MARK: What does not fit

  /// A shape that the value has, as near to the old one as can be.
  ///
  /// - Parameter isAdded: whether what had the old shape must still have it: another round, or another element.
  func revised(_ shape: ShapeSyntax, _ json: JSON, isAdded: Bool, fits: (JSON, ShapeSyntax) -> Bool) -> ShapeSyntax {
    if fits(json, shape) { return shape }
    switch (shape.kind, json) {
    case (.object(let members, let isOpen), .object(let object)):
      var kept: [ShapeSyntax.Member] = []
      for var member in members {
        guard let value = object[member.key.plainText ?? ""] else {
          if isAdded || member.isOptional {
            member.isOptional = true
            kept.append(member)
          }
          continue
        }
        member.shape = revised(member.shape, value, isAdded: isAdded, fits: fits)
        kept.append(member)
      }
      let known = Set(kept.compactMap(\.key.plainText))
      guard case .object(let new, let becomesOpen) = self.shape(of: json).kind, !isOpen else {
        return ShapeSyntax(.object(kept, isOpen: isOpen))
      }
      for var member in new where !known.contains(member.key.plainText ?? "") {
        member.isOptional = isAdded
        kept.append(member)
      }
      return ShapeSyntax(.object(kept, isOpen: becomesOpen))
    case (.array(let element?), .array(let elements)) where !elements.isEmpty:
      let unfitting = elements.filter { !fits($0, element) }
      // What some elements still have stays; what none has goes.
      let isUsed = isAdded || unfitting.count < elements.count
      let first = isUsed ? element : revised(element, unfitting[0], isAdded: false, fits: fits)
      return ShapeSyntax(
        .array(unfitting.reduce(first) { revised($0, $1, isAdded: true, fits: fits) }))
    case (.array(nil), .array): return self.shape(of: json)
    default:
      let new = self.shape(of: json)
      return isAdded ? Self.merged(shape, new) : new
    }
  }

  /// A shape of whatever has one of the two.
  static func merged(_ one: ShapeSyntax, _ other: ShapeSyntax) -> ShapeSyntax {
    if one == other { return one }
    switch (one.kind, other.kind) {
    case (.object(let left, let leftIsOpen), .object(let right, let rightIsOpen)):
      return ShapeSyntax(.object(merged(left, right), isOpen: leftIsOpen || rightIsOpen))
    case (.array(let left), .array(let right)):
      guard let left, let right else { return ShapeSyntax(.array(left ?? right)) }
      return ShapeSyntax(.array(merged(left, right)))
    default: return either(one.choices + other.choices)
    }
  }

  private static func merged(
    _ left: [ShapeSyntax.Member], _ right: [ShapeSyntax.Member]
  ) -> [ShapeSyntax.Member] {
    var members = left.map { member in
      var member = member
      if let other = right.first(where: { $0.key.plainText == member.key.plainText }) {
        member.isOptional = member.isOptional || other.isOptional
        member.shape = merged(member.shape, other.shape)
      } else {
        member.isOptional = true
      }
      return member
    }
    for var member in right where !left.contains(where: { $0.key.plainText == member.key.plainText }) {
      member.isOptional = true
      members.append(member)
    }
    return members
  }

  private static func either(_ all: [ShapeSyntax]) -> ShapeSyntax {
    var choices: [ShapeSyntax] = []
    for choice in all {
      if choices.contains(where: { $0 == choice || $0.covers(choice) }) { continue }
      choices.removeAll { choice.covers($0) }
      // Two objects, or two arrays, are one that says less.
      if let index = choices.firstIndex(where: { $0.isContainer(like: choice) }) {
        choices[index] = merged(choices[index], choice)
      } else {
        choices.append(choice)
      }
    }
    if choices.count > mostChoices {
      var types: [ShapeSyntax] = []
      for type in choices.map(\.type) where !types.contains(where: { $0 == type || $0.covers(type) }) {
        types.removeAll { type.covers($0) }
        types.append(type)
      }
      choices = types
    }
    return choices.count == 1 ? choices[0] : ShapeSyntax(.either(choices))
  }
}

extension ShapeSyntax {
  fileprivate var choices: [ShapeSyntax] { if case .either(let choices) = kind { choices } else { [self] } }

  /// The type of a literal.
  fileprivate var type: ShapeSyntax {
    switch kind {
    case .boolean: ShapeSyntax(.named(.bool))
    case .string: ShapeSyntax(.named(.string))
    case .number(let text): ShapeSyntax(.named(text.contains { ".eE".contains($0) } ? .number : .int))
    case .named, .array, .object, .either, .snapshot: self
    }
  }

  /// Whether everything of the other shape obviously has this one.
  fileprivate func covers(_ other: ShapeSyntax) -> Bool {
    guard case .named(let name) = kind else { return false }
    switch (name, other.type.kind) {
    case (.any, _), (.number, .named(.int)), (.string, .named(.url)), (.string, .named(.datetime)): return true
    case (_, .named(let type)): return name == type
    default: return false
    }
  }

  fileprivate func isContainer(like other: ShapeSyntax) -> Bool {
    switch (kind, other.kind) {
    case (.object, .object), (.array, .array): true
    default: false
    }
  }
}
