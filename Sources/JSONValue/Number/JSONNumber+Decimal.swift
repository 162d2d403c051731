public import Essentials

extension JSONNumber {
  /// The number as a decimal, if it fits into its 38 digits; nothing is rounded.
  public var decimal: Decimal? {
    guard let decimal = Decimal(string: text), !decimal.isNaN, JSONNumber(decimal) == self else { return nil }
    return decimal
  }

  /// The decimal's text; nil for NaN.
  public init?(_ value: Decimal) {
    guard !value.isNaN else { return nil }
    self.init(value.description)
  }
}
