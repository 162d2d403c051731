internal import JSONValue
package import Presentation
package import Requests
package import Sessions
internal import UploaderCore

/// The one way to the screen: everything that is printed passes here, loses its secrets, and keeps
/// no escape sequence but ours.
package struct Printer: Sendable {
  package let output: World.Output
  package let errorOutput: World.Output
  package let secrets: KnownSecrets
  /// Proxies that the environment names, by the variable; nothing here goes through them.
  let proxies: [(variable: String, address: String)]
  private let page: (@Sendable (String) -> Void)?

  package init(_ world: World, secrets: KnownSecrets) {
    output = world.output
    errorOutput = world.errorOutput
    page = world.page
    proxies = ["HTTPS_PROXY", "https_proxy", "http_proxy", "ALL_PROXY", "all_proxy"].compactMap { name in
      guard let value = world.environment[name], !value.isEmpty else { return nil }
      // Without a name and a password.
      let host = value.split(separator: "@").last.map(String.init) ?? value
      return (name, host.contains("://") ? host : "http://\(host)")
    }
    self.secrets = secrets
  }

  /// A printer without a pager.
  package init(output: World.Output, errorOutput: World.Output, secrets: KnownSecrets) {
    self.output = output
    self.errorOutput = errorOutput
    self.secrets = secrets
    proxies = []
    page = nil
  }

  /// The same, with everything on the error output.
  package var besideResults: Printer { Printer(output: errorOutput, errorOutput: errorOutput, secrets: secrets) }

  /// From now on these are hidden.
  ///
  /// - Parameter areTyped: whether nobody has declared them.
  package func learn(_ found: some Sequence<Secret>, areTyped: Bool = false) {
    warn(ofShortOnesIn: secrets.learn(found), areTyped: areTyped)
  }

  /// Warns of secrets so short that hiding them hides other text as well; not of what was made from one, which nobody
  /// chose, and of what was typed once.
  package func warn(ofShortOnesIn found: Set<Secret>, areTyped: Bool = false) {
    let chosen = found.filter { $0.isShort && !$0.isTooShort && !$0.isForgotten }
    for secret in chosen.sorted(by: { $0.name < $1.name }) {
      if areTyped || secret.isOnlyHidden || secret.isGivenToStep, !secrets.isFirstWarning() { continue }
      // The words here are ours: a password may read like one of them.
      let warning =
        StyledText("warning:", .warning)
        + StyledText(" \(secret.typedSubject) is shorter than \(Secret.fewestBytesOfLong) bytes\n", .strong)
        + " = wherever the same text appears, it is hidden, too, and \(Self.way(of: secret))\n"
      errorOutput.write(warning.rendered(isColored: errorOutput.isColored))
    }
  }

  /// Where a short one goes. A word that was typed goes wherever it is typed again.
  private static func way(of secret: Secret) -> String {
    secret.isOnlyHidden && secret.isShortWord
      ? "it goes to another server only where you type it" : "not sent to another server"
  }

  package func result(_ text: StyledText) {
    write(text, to: output)
  }

  /// A text that was found to have no known secret in it, such as a script that was saved: a keyword or a name that reads
  /// like one is shown.
  package func result(withoutSecrets text: String) {
    output.write(StyledText(Redactor([]).redact(text)).rendered(isColored: output.isColored))
  }

  /// What this program says of itself, such as its help: a keyword in it that reads like a secret is shown.
  package func own(_ text: StyledText) {
    output.write(text.rendered(isColored: output.isColored))
  }

  /// The same for what may be long.
  package func long(own text: StyledText) {
    guard let page else { return own(text) }
    page(text.rendered(isColored: output.isColored))
  }

  /// JSON for programs. It loses its secrets before anything that a terminal would obey is escaped in it.
  package func json(_ text: String) {
    result(StyledText(JSONPrinter.visible(secrets.redact(text)) + "\n"))
  }

  /// A result that may be long: a screen at a time if somebody is watching.
  package func long(_ text: StyledText) {
    guard let page else { return result(text) }
    if !text.isEmpty { page(rendered(text, for: output)) }
  }

  package func error(_ text: StyledText) {
    write(text, to: errorOutput)
  }

  /// Text in which what is secret is hidden.
  package func error(own text: StyledText) {
    errorOutput.write(text.rendered(isColored: errorOutput.isColored))
  }

  /// Text that a renderer of ours has made safe for a terminal, and in which it has hidden what is secret: what is laid
  /// out in columns must not become shorter.
  package func error(laidOut text: String) {
    errorOutput.write(text)
  }

  /// What a program reads of a text, in place of the screen.
  package func plain(_ text: StyledText) -> [UInt8] {
    Array(text.mapText { secrets.redact($0) }.rendered(isColored: false).utf8)
  }

  private func write(_ text: StyledText, to output: World.Output) {
    guard !text.isEmpty else { return }
    output.write(rendered(text, for: output))
  }

  private func rendered(_ text: StyledText, for output: World.Output) -> String {
    text.mapText { secrets.redact($0) }.rendered(isColored: output.isColored)
  }
}

extension Secret {
  /// The same as its subject, or of what nobody declared where it was found.
  fileprivate var typedSubject: String {
    guard isOnlyHidden else { return subject }
    // Of `-u ann:pw`, nobody has written the name.
    if name == "password" { return "the password" }
    return CredentialNames.haveScheme(name) ? "the credential in \(name)" : "the value of \"\(name)\""
  }
}
