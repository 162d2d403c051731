import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

/// The members of a file.
enum FileMember: String, CaseIterable {
  case size, sha256, md5, type, name, text, bytes, json
}

extension Evaluator {
  /// The member of an exchange; nil if the response does not have it.
  func member(_ name: String, of exchange: Exchange, _ range: SourceRange) throws(ProgramError) -> Value? {
    func value(_ content: Value.Content) -> Value {
      let step = exchange.label ?? exchange.request.url
      return .read(content, from: .response(step: step, path: name, url: exchange.request.url))
    }
    let response = exchange.response
    switch name {
    case "status": return value(.json(.number(JSONNumber(response.status.code))))
    case "headers":
      var headers = value(.headers(response.headers))
      headers.cookies = CookieSecrets.found(in: exchange)
      return headers
    case "header-lines":
      var lines = value(.headerLines(response.headers))
      lines.cookies = CookieSecrets.found(in: exchange)
      return lines
    case "set-cookie":
      var cookies = value(.json(exchange.setCookies))
      cookies.cookies = CookieSecrets.found(in: exchange)
      return cookies
    case "links": return value(.json(exchange.links))
    case "redirects": return value(.json(exchange.redirectList))
    case "protocol": return value(.json(.string(response.version)))
    case "address": return exchange.connection.address.map { value(.json(.string($0))) }
    case "body": return try body(of: exchange, range).map { value($0.content) }
    case "text": return value(.json(.string(text(of: try bytes(of: exchange, range), in: response))))
    case "bytes": return value(.bytes(try bytes(of: exchange, range)))
    case "time": return value(.timings(exchange.timings))
    case "size": return value(.json(.number(JSONNumber(response.body.count))))
    case "cookies":
      var cookies = value(.cookies(exchange.cookieValues))
      cookies.cookies = CookieSecrets.found(in: exchange)
      return cookies
    case "location":
      guard let location = response.headers[.location] else { return nil }
      return value(.json(.string(URLReference.resolve(location, against: exchange.request.url))))
    case "certificate": return exchange.connection.certificate.map { value(.json($0.json)) }
    case "url": return value(.json(.string(exchange.request.url)))
    case "request":
      var request = value(.request(exchange.request, body: exchange.sentBody))
      request.isVerbatim = false
      let secrets = exchange.description.head.secrets.union(scope.profiles[exchange.profile]?.secrets ?? [])
      request.taint = Taint(secrets.union(scope.known.found(in: request)))
      request.cookies = CookieSecrets.sent(with: exchange.request)
      return request
    default: return nil
    }
  }

  /// JSON if the content type declares it, an array of events or of the values of lines if it declares those, else text,
  /// else bytes; nil if there is none.
  func body(of exchange: Exchange, _ range: SourceRange) throws(ProgramError) -> Value? {
    let response = exchange.response
    // Of a stream, that nothing has come is something.
    let hasBegun = !response.body.isEmpty || exchange.description.head.stream != nil
    if hasBegun, response.hasValues, let kind = response.streamKind {
      return Value(
        try bodies.json(of: response) { () throws(ProgramError) in
          .array(StreamValues.values(kind, in: try self.bytes(of: exchange, range)))
        })
    }
    if response.body.isEmpty { return nil }
    if response.isJSON {
      return Value(
        try bodies.json(of: response) { () throws(ProgramError) in
          try json(try self.bytes(of: exchange, range), range)
        })
    }
    let bytes = try bytes(of: exchange, range)
    let isText = response.contentType.map(MediaType.isText) ?? false
    if isText { return Value(.string(text(of: bytes, in: response))) }
    return Value(.bytes(bytes))
  }

  private func bytes(of exchange: Exchange, _ range: SourceRange) throws(ProgramError) -> [UInt8] {
    try check(exchange.response.body.count, range)
    do throws(FileError) {
      return try exchange.response.body.bytes()
    } catch {
      throw failure(.file(error), range)
    }
  }

  /// - Parameter value: the value that the bytes belong to, where they may be made from a secret.
  func json(_ bytes: [UInt8], _ range: SourceRange, of value: Value = Value(.null)) throws(ProgramError) -> JSON {
    do throws(JSONSyntaxError) {
      return try JSON(parsing: bytes)
    } catch {
      let advice = error.advice(onLinesOf: ".text").map { ": \($0)" } ?? ""
      throw failure(.invalidEncoding("valid JSON", Quoted(value, "\(error)\(advice)")), range)
    }
  }

  // MARK: Files

  /// A path that a script gives, as written. What a server sent can be a name in it and no more: it leads to no other
  /// directory.
  func path(_ expression: ExpressionSyntax) throws(ProgramError) -> String {
    var path = ""
    func append(_ expression: ExpressionSyntax) throws(ProgramError) {
      let (text, value) = try text(expression)
      if case .refused = value.leaving(by: .file) { throw failure(.secretMisplaced("a file's path"), expression.range) }
      try checkName(text, value, expression.range)
      path += text
    }
    guard case .string(let string) = expression else {
      try append(expression)
      return path
    }
    for piece in string.pieces {
      switch piece {
      case .text(let literal): path += literal
      case .interpolation(let expression): try append(expression)
      }
    }
    return path
  }

  private func checkName(_ text: String, _ value: Value, _ range: SourceRange) throws(ProgramError) {
    if text.utf8.contains(0) { throw failure(.foreignPath(Quoted(value, text)), range) }
    guard value.isForeign else { return }
    if ["", ".", ".."].contains(text) || text.utf8.contains(UInt8(ascii: "/")) {
      throw failure(.foreignPath(Quoted(value, text)), range)
    }
  }

  /// Relative paths start from the script's directory.
  func place(_ path: String) -> String {
    if path.hasPrefix("/") || directory.isEmpty { return path }
    return directory.hasSuffix("/") ? directory + path : "\(directory)/\(path)"
  }

  /// Opens a file.
  func file(_ path: String, _ range: SourceRange) throws(ProgramError) -> FileSlice {
    do throws(FileError) {
      return try environment.openFile(place(path))
    } catch {
      throw failure(.file(error), range)
    }
  }

  /// A value that was read from a file, or made from the whole file: the secrets in the file are either found again in
  /// the value, or the value was made from them.
  func read(_ value: Value, from file: FileSlice) throws(FileError) -> Value {
    var read = value
    if read.taint.isEmpty {
      read.isVerbatim = true
      read = scope.known.marking(read)
    }
    let found = try scope.known.found(in: file)
    return found.isSubset(of: read.taint.secrets) ? read : read.carrying(Value("", secrets: found))
  }

  func fileMember(_ name: String, of file: FileSlice, _ range: SourceRange) throws(ProgramError) -> Value? {
    guard let member = FileMember(rawValue: name) else { return nil }
    func value(_ content: Value.Content) -> Value { .read(content, from: .file(file.path)) }
    func read(_ content: Value.Content) throws(FileError) -> Value { try self.read(value(content), from: file) }
    do {
      switch member {
      case .size: return value(.json(.number(JSONNumber(file.count))))
      case .name: return value(.json(.string(file.name)))
      case .type: return value(.json(.string(MediaType.guess(fileName: file.name))))
      case .sha256: return try read(.digest(try Digest.sha256.of(file)))
      case .md5: return try read(.digest(try Digest.md5.of(file)))
      case .bytes: return try read(.bytes(try file.bytes()))
      case .text:
        let bytes = try file.bytes()
        if environment.language >= LanguageVersion.second, let offset = UTF8Validation.firstInvalid(in: bytes) {
          throw failure(.fileNotText(path: file.path, offset: offset), range)
        }
        return try read(.json(.string(String(decoding: bytes, as: UTF8.self))))
      case .json: return try read(.json(try json(try file.bytes(), range)))
      }
    } catch let error as FileError {
      throw failure(.file(error), range)
    } catch let error as ProgramError {
      throw error
    } catch {
      throw failure(.invalidEncoding("valid JSON", Quoted(written: "\(error)")), range)
    }
  }
}

extension Evaluator {
  /// The text of a body, in the charset that the content type names, or HTML or XML itself; U+FFFD stands for what is not in it.
  private func text(of bytes: [UInt8], in response: Response) -> String {
    let charset =
      environment.language < LanguageVersion.second
      ? nil : response.contentType.flatMap { Charset(ofType: $0) ?? Charset(declaredIn: bytes, ofType: $0) }
    return charset?.lenientText(bytes) ?? String(decoding: bytes, as: UTF8.self)
  }
}

extension HTTPFields {
  func value(named name: String) -> JSON? {
    guard let name = HTTPField.Name(name), contains(name) else { return nil }
    return json(of: name)
  }
}
