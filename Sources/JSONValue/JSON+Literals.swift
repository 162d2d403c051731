extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// The compiler refuses a literal that is infinite, so there is always a text.
  public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Keys that occur twice are all kept.
  public init(dictionaryLiteral members: (String, JSON)...) { self = .object(JSONObject(members)) }
}
