extension DateText {
  /// A time in a format with `%` words as in `strptime`. What the format does not say is as in 1970-01-01T00:00:00Z.
  ///
  /// - Returns: nil if the text is not in the format.
  package static func parse(_ text: String, format: String) throws(DateFormatError) -> Duration? {
    var reading = FormatReading(text)
    var rest = Substring(format)
    // The whole format is looked at, even if the text has ended, so that a wrong word is always found.
    while let next = rest.popFirst() {
      guard next == "%" else {
        reading.take(next)
        continue
      }
      var word = rest.popFirst()
      // The digits of a fraction, as some write them: %.f, %3f.
      if word == "." || word == "3" || word == "6" || word == "9", rest.first == "f" {
        if word == "." { reading.take(".") }
        word = rest.popFirst()
      }
      guard reading.take(word: word) else { throw DateFormatError(word: "%" + (word.map(String.init) ?? "")) }
    }
    return reading.moment
  }
}

/// A text that is being read by a format.
private struct FormatReading {
  private var rest: Substring
  private var isWrong = false
  private var (year, month, day) = (1970, 1, 1)
  private var (hour, minute, second) = (0, 0, 0)
  private var isAfternoon: Bool?
  private var fraction = Duration.zero
  /// Seconds east of Greenwich.
  private var offset = 0
  private var whole: Duration?

  init(_ text: String) {
    rest = text[...]
  }

  /// nil if the text was not in the format.
  var moment: Duration? {
    guard !isWrong, rest.isEmpty else { return nil }
    if let whole { return whole }
    let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? self.hour
    guard (0...9999).contains(year) else { return nil }
    return CivilTime.moment(year, month, day, hour, minute, second).map { $0 + fraction - .seconds(offset) }
  }

  /// A character of the format that stands for itself; a space for any number of them.
  mutating func take(_ character: Character) {
    if character.isWhitespace {
      rest = rest.drop { $0.isWhitespace }
    } else if rest.first == character {
      rest.removeFirst()
    } else {
      isWrong = true
    }
  }

  /// - Returns: false if there is no such word.
  mutating func take(word: Character?) -> Bool {
    switch word {
    case "Y": year = number(4)
    case "y": year = number(2, isShort: true)
    case "m": month = number(2)
    case "d", "e": day = number(2)
    case "H", "k": hour = number(2)
    case "I", "l": hour = number(2)
    case "M": minute = number(2)
    case "S": second = number(2)
    case "p", "P": isAfternoon = oneOf(["am", "pm"]) == 1
    case "L", "f": takeFraction()
    case "b", "B", "h": month = 1 + oneOf(Self.months)
    case "a", "A": _ = oneOf(Self.days)
    case "z", "Z": takeOffset()
    case "F":
      year = number(4)
      take("-")
      month = number(2)
      take("-")
      day = number(2)
    case "T":
      hour = number(2)
      take(":")
      minute = number(2)
      take(":")
      second = number(2)
    case "s": whole = .seconds(number(12))
    case "+":
      whole = DateText.rfc3339(rest)
      isWrong = isWrong || whole == nil
      rest = ""
    case "%": take("%")
    default: return false
    }
    return true
  }

  private mutating func number(_ most: Int, isShort: Bool = false) -> Int {
    rest = rest.drop { $0 == " " }
    let digits = rest.prefix(most).prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    guard let number = Int(digits) else {
      isWrong = true
      return 0
    }
    return isShort ? number + (number < 69 ? 2000 : 1900) : number
  }

  private mutating func takeFraction() {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    let nine = digits.prefix(9) + String(repeating: "0", count: max(0, 9 - digits.count))
    isWrong = isWrong || digits.isEmpty
    fraction = .nanoseconds(Int64(nine) ?? 0)
  }

  private mutating func takeOffset() {
    if let name = ["UTC", "GMT", "Z", "z"].first(where: { rest.hasPrefix($0) }) {
      rest = rest.dropFirst(name.count)
      return
    }
    guard let sign = rest.first, sign == "+" || sign == "-" else {
      isWrong = true
      return
    }
    rest.removeFirst()
    let hours = number(2)
    if rest.first == ":" { rest.removeFirst() }
    let minutes = number(2)
    offset = (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }

  /// The index of the name that is next, in full or by its first three letters.
  private mutating func oneOf(_ names: [String]) -> Int {
    for (index, name) in names.enumerated() {
      for spelling in [name, String(name.prefix(3))] where rest.lowercased().hasPrefix(spelling) {
        rest = rest.dropFirst(spelling.count)
        return index
      }
    }
    isWrong = true
    return 0
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
  private static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
}
