import Canaries

/// Where a secret comes from.
package enum Source: String, CaseIterable, Sendable {
  case environment, secret, basicPassword, cookie, responsePath, echo, escapedEcho, file

  /// How a script reads it.
  package var expression: String {
    switch self {
    case .environment: "$env.KEY"
    case .secret: "$tok"
    case .basicPassword: "$login.request.headers.authorization"
    case .cookie: "$login.cookies.sid"
    case .responsePath: "$login.body.token"
    case .echo: "$login.body.echo.inner[0]"
    case .escapedEcho: "$login.body.echo.next"
    // From a file that is read nowhere before.
    case .file: "$encoded"
    }
  }

  package static let key = Canary.secret("flow-key")
  package static let token = Canary.secret("flow-tok")
  package static let password = Canary.secret("flow-password")
  package static let sid = Canary.cookie("flow-cookie")
  package static let received = Canary.early("flow-received")

  /// All of them.
  package static let texts = [key, token, password, sid, received]

  /// The token as a server writes it that keeps other characters than this program, and escapes some that it need not.
  package static let escaped = token.replacing("-", with: "%2D").replacing("+", with: "%2b")

  /// What the expression reads.
  package var text: String {
    switch self {
    case .environment: Self.key
    case .secret, .echo: Self.token
    case .basicPassword: "Basic " + Base64Text.encode("ann:\(Self.password)")
    case .cookie: Self.sid
    case .responsePath: Self.received
    case .escapedEcho: Self.escaped
    case .file: String(Base64Text.encode(Self.token).dropFirst(2))
    }
  }

  package static let variables = ["KEY": key, "TOK": token, "PASSWORD": password]

  /// The response to what every script sends first.
  package static let loginResponse =
    "{\"token\": \"\(received)\", \"echo\": {\"inner\": [\"\(token)\"], \"next\": \"\(escaped)\"}}"

  /// The variable that names a file with the token in it.
  package static let fileVariable = "FILE"

  /// What every script begins with.
  ///
  /// - Parameter api: the origin that the secrets are for.
  package static func declarations(for api: String = "https://api.test") -> String {
    """
    profile api { base \(api) auth basic "ann", $env.PASSWORD header X-Key: $env.KEY }
    secret tok = $env.TOK for api
    let encoded = file($env.\(fileVariable)) | base64 | slice(2)

    """
  }

  /// What every script sends first; its response contains secrets.
  package static let login = """
    login: GET api:/login
    secret at = $login.body.token for api

    """
}
