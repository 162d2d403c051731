extension StringProtocol {
  /// Without blanks, tabs and line ends at both ends.
  package func trimmingBlanks() -> String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
