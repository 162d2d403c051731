/// Short names that were read. Most come again and again, and the text of one is not made each time.
struct RecentNames {
  private static let count = 128
  private var names = [(number: UInt64, text: String)](repeating: (0, ""), count: count)

  /// The text of a name (`ShortWord`); nil if it was not read lately.
  func text(of number: UInt64) -> String? {
    let place = Self.place(of: number)
    return names[place].number == number ? names[place].text : nil
  }

  mutating func remember(_ text: String, _ number: UInt64) {
    names[Self.place(of: number)] = (number, text)
  }

  private static func place(of number: UInt64) -> Int { Int((number &* 0x9E37_79B9_7F4A_7C15) >> 57) }
}
