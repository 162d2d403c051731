import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// What an entry says in `[Options]`.
struct HurlOptions {
  struct Retry {
    var count: Int
    var interval: Duration
  }

  var clauses: [ClauseSyntax] = []
  var connection = ImportedProfiles.Connection()
  var user: (name: String, password: String)?
  var retry: Retry?
  var rounds: Int?
  var isSkipped = false
  var keepsDotSegments = false
}

extension HurlTranslator {
  /// Those that are about what is printed, which nothing here is.
  private static let printing: Set<String> = ["verbose", "very-verbose", "verbosity", "include", "no-output", "color"]

  /// Those that are done in no way here, and why.
  private static let refused: [String: String] = [
    "ntlm": "NTLM is not spoken", "negotiate": "Negotiate is not spoken", "digest": "digest is written as auth digest",
    "netrc": "no .netrc is read", "netrc-file": "no .netrc is read", "netrc-optional": "no .netrc is read",
    "http1.0": "HTTP/1.0 is not sent", "http3": "HTTP/3 is not sent",
    "pinnedpubkey": "a certificate is checked by its authority, in tls { ca: … }",
    "limit-rate": "nothing is slowed down",
    "ipv4": "the address is chosen by the machine", "ipv6": "the address is chosen by the machine",
    "connect-to": "a host's address is written as resolve in a profile",
    "aws-sigv4": "it is written as auth sigv4 { … }",
  ]

  /// Reads all of them; what is not done here is said.
  mutating func options(of entry: HurlEntry) -> HurlOptions {
    var reading = HurlOptionsReading()
    for section in entry.sections where section.kind == .options {
      for pair in section.pairs {
        do throws(ImportRefusal) {
          try take(pair, into: &reading)
        } catch {
          isBlocked = true
          refuse(ImportRefusal(error.message, hint: error.hint, at: pair.range))
        }
      }
    }
    return reading.options
  }

  private mutating func take(_ pair: HurlPair, into reading: inout HurlOptionsReading) throws(ImportRefusal) {
    guard let name = pair.key.plain else { throw ImportRefusal("the name of an option is written", at: pair.range) }
    if Self.printing.contains(name) { return }
    if let reason = Self.refused[name] {
      throw ImportRefusal("the option \(name) is not done here: \(reason)", at: pair.range)
    }
    if name == "variable" { return try define(pair) }
    guard let value = try constantText(pair.value) else {
      throw ImportRefusal("the option \(name) cannot be computed", at: pair.range)
    }
    switch name {
    case "output" where value != "-": _ = try ImportedFile(value, .write, in: source, at: pair.range)
    case "cacert", "key": _ = try ImportedFile(value, .read, in: source, at: pair.range)
    case "cert":
      if value.contains(":") {
        throw ImportRefusal(
          "the password of a certificate's key is not read here", hint: "write tls { passphrase: … } in a profile",
          at: pair.range)
      }
      _ = try ImportedFile(value, .read, in: source, at: pair.range)
    case "unix-socket": _ = try ImportedFile(value, .connect, in: source, at: pair.range)
    default: break
    }
    guard try reading.take(name, value, pair.range) else {
      throw ImportRefusal("the option \(name) is not known", at: pair.range)
    }
    if name == "location-trusted", value == "true" {
      note(
        .warning, "credentials are not sent to other origins", hint: "name them as origins of the profile",
        at: pair.range)
    }
    if name == "max-redirs", value == "-1" {
      note(.warning, "redirects are not followed for ever", hint: "1000 are", at: pair.range)
    }
    if name == "connect-timeout" {
      note(.warning, "how long a connection may take is not said by itself", hint: "write timeout", at: pair.range)
    }
  }

  /// `variable: name=value`
  private mutating func define(_ pair: HurlPair) throws(ImportRefusal) {
    var value = pair.value
    guard case .text(let start)? = value.pieces.first, let equals = start.firstIndex(of: "=") else {
      throw ImportRefusal("expected name=value", at: pair.range)
    }
    let name = start[..<equals].trimmed
    value.pieces[0] = .text(String(start[start.index(after: equals)...]))
    if let known = try constantText(value) {
      if SensitiveName.contains(name), !known.isEmpty { constants[known] = name }
      variables.set(name, to: Self.constant(known))
    } else {
      let expression = try self.value(value)
      let bound = variables.bind(name)
      pending.append(StatementSyntax.binding(LetSyntax(bound, expression)).placed(at: pair.range))
    }
  }
}

extension HurlEntry {
  private static let connection: Set<String> = [
    "insecure", "cacert", "cert", "key", "proxy", "unix-socket", "http1.1", "http2", "resolve",
  ]

  /// What it says about its connection, as it is written.
  var connectionOptions: Set<String> {
    var written: Set<String> = []
    for section in sections where section.kind == .options {
      for pair in section.pairs {
        guard let name = pair.key.plain, Self.connection.contains(name), pair.value.plain != "false" else { continue }
        written.insert("\(name): \(pair.value.plain ?? "")")
      }
    }
    return written
  }
}

/// The options of an entry, as far as they have been read.
struct HurlOptionsReading {
  var options = HurlOptions()
  private var redirects: Int?
  private var follows = false
  private var retryInterval = Duration.seconds(1)

  /// - Returns: false if there is no such option.
  mutating func take(_ name: String, _ value: String, _ range: SourceRange) throws(ImportRefusal) -> Bool {
    switch name {
    case "location", "location-trusted":
      follows = try Self.truth(value, range)
      setRedirects()
    case "max-redirs":
      let count = try Self.integer(value, range)
      redirects = count < 0 ? 1_000 : count
      setRedirects()
    case "retry":
      let count = try Self.integer(value, range)
      options.retry = count == 0 ? nil : HurlOptions.Retry(count: count < 0 ? 999 : count, interval: retryInterval)
    case "retry-interval":
      retryInterval = try Self.duration(value, range)
      options.retry?.interval = retryInterval
    case "repeat": options.rounds = try Self.integer(value, range)
    case "skip": options.isSkipped = try Self.truth(value, range)
    case "delay":
      let pause = try Self.duration(value, range)
      set(.wait(.number(NumberSyntax(pause))), range)
    case "max-time":
      set(.timeout(.number(NumberSyntax(try Self.duration(value, range, unit: .seconds(1))))), range)
    case "connect-timeout": _ = try Self.duration(value, range, unit: .seconds(1))
    case "output": if value != "-" { set(.save(.text(value)), range) }
    case "compressed":
      if try Self.truth(value, range) {
        options.clauses.append(ClauseSyntax.header("Accept-Encoding", .text("gzip, deflate, br")).placed(at: range))
      }
    case "user":
      let sides = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2 else { throw ImportRefusal("expected user:password", at: range) }
      options.user = (sides[0], sides[1])
    case "path-as-is": options.keepsDotSegments = try Self.truth(value, range)
    case "insecure": options.connection.acceptsAnyCertificate = try Self.truth(value, range)
    case "cacert": options.connection.tls["ca"] = value
    case "cert": options.connection.tls["cert"] = value
    case "key": options.connection.tls["key"] = value
    case "proxy": options.connection.proxy = value.contains("://") ? value : "http://\(value)"
    case "unix-socket": options.connection.unixSocket = value
    case "http1.1": if try Self.truth(value, range) { options.connection.http = "1.1" }
    case "http2": if try Self.truth(value, range) { options.connection.http = "2" }
    case "resolve":
      let sides = value.split(separator: ":", maxSplits: 2).map(String.init)
      guard sides.count == 3 else { throw ImportRefusal("expected host:port:address", at: range) }
      options.connection.hosts[sides[0]] = sides[2]
    default: return false
    }
    return true
  }

  private mutating func setRedirects() {
    options.clauses.removeAll { if case .redirects = $0.kind { true } else { false } }
    if follows { options.clauses.append(ClauseSyntax(.redirects(redirects ?? 50))) }
  }

  private mutating func set(_ kind: ClauseSyntax.Kind, _ range: SourceRange) {
    options.clauses.append(ClauseSyntax(kind).placed(at: range))
  }

  private static func truth(_ text: String, _ range: SourceRange) throws(ImportRefusal) -> Bool {
    guard text == "true" || text == "false" else { throw ImportRefusal("expected true or false", at: range) }
    return text == "true"
  }

  private static func integer(_ text: String, _ range: SourceRange) throws(ImportRefusal) -> Int {
    guard let number = Int(text), number < 1_000_000 else { throw ImportRefusal("expected a number", at: range) }
    return number
  }

  /// `100ms`, `1s`, `2m`, `1h`, or a number of `unit`s.
  private static func duration(
    _ text: String, _ range: SourceRange, unit: Duration = .milliseconds(1)
  ) throws(ImportRefusal) -> Duration {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [Substring: Duration] = [
      "": unit, "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3_600),
    ]
    guard let number = Int(digits), number <= 1_000_000_000, let unit = units[text.dropFirst(digits.count)] else {
      throw ImportRefusal("expected a duration such as 500ms or 2s", at: range)
    }
    return unit * number
  }
}
