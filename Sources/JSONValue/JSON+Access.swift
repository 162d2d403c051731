extension JSON {
  /// The value of the last member with that key; nil if there is none or this is not an object.
  ///
  /// Setting replaces or adds a member of an object, nil removes it, and `null` becomes an object first. Anything else
  /// has no place for it: setting then changes nothing.
  ///
  /// An object is searched from its end: to look up many keys of a large one, make a `Dictionary` from its `members`.
  public subscript(key: String) -> JSON? {
    get {
      guard case .object(let object) = self else { return nil }
      return object[key]
    }
    set {
      switch self {
      case .object(var object):
        self = .null
        object[key] = newValue
        self = .object(object)
      case .null:
        if let newValue { self = .object([key: newValue]) }
      case .array, .string, .number, .bool:
        break
      }
    }
  }

  /// The element at that index, counted from the end if it is negative; nil if there is none or this is not an array.
  ///
  /// Setting replaces the element, nil removes it; if there is none, setting changes nothing.
  public subscript(index: Int) -> JSON? {
    get {
      guard case .array(let elements) = self else { return nil }
      let index = index < 0 ? elements.count + index : index
      guard elements.indices.contains(index) else { return nil }
      return elements[index]
    }
    set {
      guard case .array(var elements) = self else { return }
      let index = index < 0 ? elements.count + index : index
      guard elements.indices.contains(index) else { return }
      self = .null
      if let newValue { elements[index] = newValue } else { elements.remove(at: index) }
      self = .array(elements)
    }
  }

  /// The members, if this is an object.
  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The elements, if this is an array.
  public var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text, if this is a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number with its text, if this is one.
  public var number: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The number as an integer, if it is one and fits; nothing is rounded.
  public var int: Int? { number?.int }

  /// The double nearest to the number; nil if this is not a number, or one too large. `number?.exactDouble` never
  /// rounds.
  public var double: Double? { number?.double }

  /// The truth value, if this is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
