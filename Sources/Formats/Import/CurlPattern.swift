/// A URL in which curl takes braces and brackets for several: `{one,two}`, `[1-20]`, `[001-100:10]`, `[a-z]`.
enum CurlPattern {
  /// More are a loop, which is written as one.
  private static let most = 32

  /// All URLs that it stands for, in curl's order; nil: they are too many, or it is none.
  static func urls(of text: String) -> [String]? {
    var urls = [""]
    var rest = text[...]
    while let character = rest.popFirst() {
      var choices: [String]
      switch character {
      case "\\":
        guard let next = rest.first, "[]{}".contains(next) else {
          choices = ["\\"]
          break
        }
        rest.removeFirst()
        choices = [String(next)]
      case "{":
        guard let end = rest.firstIndex(of: "}") else { return nil }
        choices = rest[..<end].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if choices == [""] || rest[..<end].contains(where: { "{[\\".contains($0) }) { return nil }
        rest = rest[rest.index(after: end)...]
      case "[":
        // An address of IPv6, or brackets that are none of curl's.
        guard let end = rest.firstIndex(of: "]"), let range = range(rest[..<end]) else {
          choices = ["["]
          break
        }
        choices = range
        rest = rest[rest.index(after: end)...]
      default:
        for index in urls.indices { urls[index].append(character) }
        continue
      }
      guard urls.count * choices.count <= most else { return nil }
      urls = urls.flatMap { start in choices.map { start + $0 } }
    }
    return urls
  }

  /// `1-20`, `001-100:10`, `a-z`
  private static func range(_ text: Substring) -> [String]? {
    guard let match = text.wholeMatch(of: /(\d+)-(\d+)(:(\d{1,9}))?|([a-zA-Z])-([a-zA-Z])(:(\d{1,3}))?/) else {
      return nil
    }
    let step = (match.output.4 ?? match.output.8).flatMap { Int($0) } ?? 1
    guard step > 0 else { return nil }
    if let first = match.output.1, let last = match.output.2 {
      let tooMany = Array(repeating: "", count: most + 1)
      guard let start = Int(first), let end = Int(last) else { return tooMany }
      guard start <= end else { return nil }
      guard (end - start) / step < most else { return tooMany }
      let width = first.hasPrefix("0") ? first.count : 0
      return stride(from: start, through: end, by: step).map { number in
        String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
      }
    }
    guard let first = match.output.5?.unicodeScalars.first, let last = match.output.6?.unicodeScalars.first,
      first.value <= last.value
    else { return nil }
    return stride(from: first.value, through: last.value, by: step).compactMap(Unicode.Scalar.init).map { String($0) }
  }
}
