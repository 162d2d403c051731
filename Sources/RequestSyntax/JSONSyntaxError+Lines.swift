package import JSONValue

extension JSONSyntaxError {
  /// How the language reads a text that is not JSON; nil: it does not look like JSON lines.
  ///
  /// - Parameter text: an expression that has the text.
  package func advice(onLinesOf text: String) -> String? {
    isOfLines ? "\(text) | split(\"\\n\") has the lines, and parse-json reads one" : nil
  }
}
