/// Short names that were read. Most come again and again, and the text of one is not made each time.
struct RecentNames {
  private static let count = 128
  private var numbers = [UInt64](repeating: 0, count: count)
  private var texts = [String](repeating: "", count: count)

  /// The text of a name (`ShortWord`), which is made if it was not read lately.
  @inline(__always)
  mutating func text(of number: UInt64, _ make: () -> String) -> String {
    let place = Int((number &* 0x9E37_79B9_7F4A_7C15) >> 57)
    if numbers[place] == number { return texts[place] }
    let text = make()
    (numbers[place], texts[place]) = (number, text)
    return text
  }
}
