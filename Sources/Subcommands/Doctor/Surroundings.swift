/// What the program runs with, as far as only the process itself can find out.
package struct Surroundings: Hashable, Sendable {
  /// A part of a library that may not be there, and what does not work without it.
  package struct Feature: Hashable, Sendable {
    package var name: String
    package var isThere: Bool
    /// `responses in brotli cannot be read`
    package var loss: String
    /// Whether nothing useful can be done without it.
    package var isEssential: Bool

    package init(name: String, isThere: Bool, loss: String, isEssential: Bool = false) {
      self.name = name
      self.isThere = isThere
      self.loss = loss
      self.isEssential = isEssential
    }
  }

  package var isInputTerminal = false
  package var isOutputTerminal = false
  /// The size of the terminal, in characters.
  package var columns = 0
  package var rows = 0
  /// Whether the system has a locale in which libedit reads UTF-8.
  package var hasUTF8Locale = true
  /// Whether there is a libedit, which is opened when the first line is typed.
  package var hasLineEditing = true
  /// `7.88.1 OpenSSL/3.0.15`; nil: there is no libcurl, which is opened when the first request is sent.
  package var curlVersion: String? = ""
  package var curlFeatures: [Feature] = []
  /// Whether there is a libxml2, which is opened when a script first uses XPath.
  package var hasXML = true
  /// Whether there is a libpq, which is opened when a queue is on a server.
  package var hasPostgres = true
  package var authorityFile: String?
  package var authorityDirectory: String?

  package init() {}
}
