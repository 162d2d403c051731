internal import HTTPTypes
internal import Presentation
package import Requests
internal import UploaderCore

/// The curl line that sends a request again, as it was before any redirect, with its secrets as environment variables.
///
/// What was sent may have come from anywhere, so no piece of it may mean anything to the shell or to curl. What curl
/// cannot express is left out, and noted.
package struct CurlLine {
  package let text: String
  /// What the line cannot do, and what it needs.
  package private(set) var notes: [String] = []

  private static let ownFields: Set<String> = [
    "host", "content-length", "user-agent", "accept-encoding", "expect", "transfer-encoding", "connection",
  ]

  /// - Parameters:
  ///   - profile: that of the request, before any redirect.
  ///   - environment: the variables that the line may use.
  ///   - earlier: the exchanges before it, `$1` first.
  package init(
    _ exchange: Exchange, profile: SessionProfile?, secrets: Set<Secret>, environment: [String: String],
    after earlier: some RandomAccessCollection<Exchange> = [Exchange]()
  ) {
    let sent = exchange.firstRequest
    let signed = PresignedParts.secrets(in: sent, of: exchange.description)
    let writer = ShellWriter(secrets.union(signed), environment: environment)
    let body = CurlBody(exchange.description, writer)
    notes = body.notes
    var words = (body.input.map { [$0, "|"] } ?? []) + ["curl"]
    switch sent.method {
    case .get where body.isEmpty, .post where !body.isEmpty: break
    case .head where body.isEmpty: words.append("-I")
    default: words.append("-X \(ShellQuoting.quoted(sent.method.rawValue))")
    }
    // To curl, brackets and braces are a pattern for several URLs.
    if sent.url.unicodeScalars.contains(where: { "[]{}".unicodeScalars.contains($0) }) { words.append("-g") }
    if Self.hasDotSegment(sent.url) { words.append("--path-as-is") }
    let (url, query) = Self.query(of: sent.url, writer)
    words.append(writer.word(body.isEmpty ? url : sent.url))
    var pieces = [words.joined(separator: " ")]
    for field in sent.headers where !Self.isOwn(field, of: exchange.description) {
      // A step may have a credential of its own.
      if case .basic(let user, let password)? = profile?.credential, field.name == .authorization,
        password.withExposedText({ BasicCredential(user: user, password: $0).field }) == field.value
      {
        pieces.append("-u \(writer.word("\(user):", then: password))")
      } else if field.value.isEmpty {
        // With a colon and nothing after it, curl would remove the field.
        pieces.append("-H \(ShellQuoting.quoted("\(field.name.rawName);"))")
      } else {
        pieces.append("-H \(writer.word("\(field.name.rawName): \(field.value)"))")
      }
    }
    let omitted = exchange.description.head.omittedHeaders + (profile?.omittedHeaders ?? [])
    for name in omitted where !sent.headers.contains(name) && (name != .contentType || body.isEmpty) {
      // Nothing after the colon removes what curl adds, too.
      pieces.append("-H \(ShellQuoting.quoted("\(name.rawName):"))")
    }
    if body.isEmpty {
      // An empty body is announced, too.
      if sent.headers[.contentLength] == "0" { pieces.append("-H 'Content-Length: 0'") }
    } else if sent.headers[.contentType] == nil {
      // Without this, curl would declare any data to be a form.
      if case .multipart = exchange.description {} else { pieces.append("-H 'Content-Type:'") }
    }
    if body.isEmpty {
      pieces += query.options.isEmpty ? [] : ["-G"] + query.options
      notes += query.notes
    }
    text = (pieces + body.options).joined(separator: " \\\n  ")
    notes += writer.notes(on: text)
    let variables = writer.variables(for: signed, in: text)
    if !variables.isEmpty {
      let (sign, them) = variables.count == 1 ? ("signs", "it") : ("sign", "them")
      let source = PresignedParts.source(of: signed, in: earlier).map { number in
        "$\(number), which brought \(them); :body $\(number) > file writes all of it"
      }
      notes.append(
        "\(variables.map { "${\($0)}" }.joined(separator: ", ")) \(sign) the request: set \(them) yourself, from "
          + (source ?? "the response that brought \(them)"))
    }
    for (variable, value) in writer.given(on: text) {
      let source = PresignedParts.source(of: [value], in: earlier).map { number in
        "a value of $\(number); :body $\(number) > file writes all of it"
      }
      notes.append("${\(variable)} is \(source ?? "what the request itself was given: set it yourself")")
    }
    notes += Self.notes(onCookiesOf: exchange, after: earlier, secrets, writer, text)
    let hidden = secrets.filter { Redactor([$0]).redact(text) != Redactor([]).redact(text) }
    if !hidden.isEmpty {
      let names = Set(hidden.map { "\"\($0.name)\"" }).sorted().joined(separator: ", ")
      notes.append("a form of \(names) is hidden, ••••: the line cannot be sent as it is")
    }
    if !exchange.redirects.isEmpty {
      notes.append("it was redirected: curl follows with -L, and its -H go wherever that leads")
    }
    if PresignedParts.areIn(text) {
      notes.append("a value that signs the request is hidden, ••••: the line cannot be sent as it is")
    }
  }

  /// Where the values of cookies come from that the line has variables for.
  private static func notes(
    onCookiesOf exchange: Exchange, after earlier: some RandomAccessCollection<Exchange>, _ secrets: Set<Secret>,
    _ writer: ShellWriter, _ text: String
  ) -> [String] {
    exchange.keptCookies(in: nil).flatMap { cookie in
      let own = secrets.filter { !$0.isMade && $0.withExposedText { $0 == cookie.value } }
      let setter = Array(earlier).lastIndex { $0.setCookies.contains(cookie) }
      return writer.variables(for: own, in: text).map { variable in
        "${\(variable)} is the cookie \"\(cookie.name)\""
          + (setter.map { ", which $\($0 + 1) set; curl -c FILE keeps those of a request, -b FILE sends them" } ?? "")
      }
    }
  }

  /// The URL up to the first item of its query that has an encoded secret in it, and the rest.
  private static func query(of url: String, _ writer: ShellWriter) -> (url: String, query: CurlForm) {
    let address = url.prefix { $0 != "?" }
    let form = CurlForm(String(url[address.endIndex...].dropFirst()), .query, writer)
    if form.options.isEmpty { return (url, form) }
    return (String(address) + (form.start.isEmpty ? "" : "?\(form.start)"), form)
  }

  private static func isOwn(_ field: HTTPField, of description: RequestDescription) -> Bool {
    let name = field.name.canonicalName
    if name == "accept", field.value == "*/*" { return true }
    if name == "content-type", case .multipart = description { return true }
    return ownFields.contains(name) && !description.head.headers.contains(field.name)
  }

  /// Whether curl would remove a part of the path.
  static func hasDotSegment(_ url: String) -> Bool {
    url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.split(separator: UInt8(ascii: "/")).contains
    {
      Substring($0).isDotSegment
    }
  }
}
