/// Where a key that moves by words leads. Words are of letters and digits, as in readline.
enum WordMotion {
  case next, previous

  /// The end of the next word, or the beginning of the one before; positions count scalars.
  func place(in text: String, from cursor: Int) -> Int {
    let scalars = Array(text.unicodeScalars)
    func isWord(_ index: Int) -> Bool {
      scalars[index].properties.isAlphabetic || scalars[index].properties.numericType != nil
    }
    var place = cursor
    switch self {
    case .next:
      while place < scalars.count, !isWord(place) { place += 1 }
      while place < scalars.count, isWord(place) { place += 1 }
    case .previous:
      while place > 0, !isWord(place - 1) { place -= 1 }
      while place > 0, isWord(place - 1) { place -= 1 }
    }
    return place
  }
}
