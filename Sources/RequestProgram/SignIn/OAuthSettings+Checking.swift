import Requests

/// What holds whatever the values are: for the checker, which sees what is written, and for lowering, which sees all.
extension OAuthSettings {
  /// - Parameter given: the names of the fields that are written.
  static func check(_ given: Set<String>, flow: Flow?) throws(SignInSettingError) {
    for name in ["flow", "client-id"] where !given.contains(name) { throw .missing(name) }
    if given.contains("client-secret"), given.contains("key") { throw .both("client-secret", "key") }
    for name in ["key-id", "algorithm"] where given.contains(name) && !given.contains("key") {
      throw .without(name, needs: "key")
    }
    if given.contains("client-auth"), !given.contains("client-secret") {
      throw .without("client-auth", needs: "client-secret")
    }
    guard let flow, !given.contains("issuer") else { return }
    let needed =
      switch flow {
      case .clientCredentials: ["token-url"]
      case .browser: ["authorization-url", "token-url"]
      case .device: ["device-url", "token-url"]
      }
    if !needed.allSatisfy(given.contains) { throw .noEndpoint(needed, flow: flow) }
  }

  /// The origin of a URL that may get a secret.
  static func endpoint(_ text: String, field: String) throws(SignInSettingError) -> Origin {
    guard let written = text.originText else { throw .url(field: field) }
    guard !written.contains("@"), !text.contains("#") else { throw .urlWithMore(field: field) }
    guard let origin = try? Origin(written) else { throw .url(field: field) }
    guard origin.scheme == .https || origin.isLoopback else { throw .openURL(field: field) }
    return origin
  }

  static func word(_ text: String, of field: OAuthField) throws(SignInSettingError) {
    guard case .word(let words) = field.kind, !words.contains(text) else { return }
    throw .word(field: field.name, words: words)
  }

  static func path(_ text: String) throws(SignInSettingError) -> String {
    guard text.hasPrefix("/"), !text.contains(where: { "?# ".contains($0) }) else { throw .path }
    return text
  }

  static func port(_ number: Int?) throws(SignInSettingError) -> Int {
    guard let number, (1...65_535).contains(number) else { throw .number(field: "port") }
    return number
  }
}
