internal import Presentation

/// What people type out of habit, and what to type here.
enum Habit {
  static func hint(for input: String) -> ErrorReport? {
    let words = input.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return nil }
    switch first.lowercased() {
    case "quit", "exit", "help", "q", "?":
      guard words.count == 1 else { return nil }
      let command = first.lowercased().hasPrefix("h") || first == "?" ? ":help" : ":quit"
      return ErrorReport("commands begin with a colon: \(command)")
    case "get", "post", "put", "patch", "delete", "head", "options":
      guard first != first.uppercased(), words.count > 1 else { return nil }
      return ErrorReport("methods are written in capitals: \(first.uppercased()) \(words[1])")
    default:
      guard words.count == 1, first.hasPrefix("http://") || first.hasPrefix("https://") || first.hasPrefix("/") else {
        return nil
      }
      return ErrorReport("a request begins with its method: GET \(first)")
    }
  }
}
