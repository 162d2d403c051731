internal import JSONValue
internal import Requests
public import UploaderCore

/// A request as it was asked for: enough to tell whether another one is the same.
public struct RecordedRequest: Hashable, Sendable {
  /// A field of the head.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String
  }

  /// What was sent after the head.
  public enum Body: Hashable, Sendable {
    case none
    case bytes([UInt8])
    case file(File)
    case parts([Part])
  }

  /// A file, or a slice of one; its content is not stored, only what identifies it.
  public struct File: Hashable, Sendable {
    public var path: String
    /// In bytes.
    public var offset: Int
    /// In bytes.
    public var count: Int
    /// Of the whole file, in bytes.
    public var size: Int
    /// Since 1970, in nanoseconds.
    public var modified: Int
  }

  /// A field of a form.
  public struct Part: Hashable, Sendable {
    public var name: String
    public var type: String?
    public var fileName: String?
    public var content: Content

    public enum Content: Hashable, Sendable {
      case bytes([UInt8])
      case file(File)
    }
  }

  public var method: String
  public var url: String
  public var headers: [Field]
  /// The names of headers that were left out, with commas between them.
  public var omittedHeaders: String?
  public var body: Body
  /// The name of the profile.
  public var profile: String
}

extension RecordedRequest {
  /// What differs in another request.
  public func differences(to other: RecordedRequest) -> [RequestDifference] {
    let mine = comparable.request
    let other = other.comparable.request
    var found: [RequestDifference] = []
    func compare(_ subject: String, _ mine: String, _ theirs: String) {
      guard mine != theirs else { return }
      found.append(
        RequestDifference(
          subject, recorded: Self.shown(mine), now: Self.shown(theirs)))
    }
    compare("method", mine.method, other.method)
    compare("url", mine.url, other.url)
    var names: [String] = []
    for name in (mine.headers + other.headers).map({ $0.name.lowercased() }) where !names.contains(name) {
      names.append(name)
    }
    for name in names { compare("header \(name)", mine.values(of: name), other.values(of: name)) }
    compare("headers left out", omittedHeaders ?? "", other.omittedHeaders ?? "")
    if mine.body != other.body {
      for (mine, theirs) in Self.bodyLines(mine.body, other.body) { compare(mine.0, mine.1, theirs) }
      if found.isEmpty { found.append(RequestDifference("body", recorded: mine.body.summary, now: other.body.summary)) }
    }
    return found
  }

  /// Whether both would have the server do the same thing: method, URL and body are the same.
  package func asksForTheSame(as other: RecordedRequest) -> Bool {
    guard method == other.method else { return false }
    let (mine, other) = (comparable.request, other.comparable.request)
    return mine.url == other.url && mine.body == other.body
  }

  /// What texts that were made from secrets are called here, and in the same request as it is now.
  func madeSecretNames(in now: RecordedRequest) -> [String: String] {
    comparable.names.names(in: now.comparable.names)
  }

  /// Only what makes it another request: not the fragment of its URL, which is not sent, nor where a file is, whose
  /// identity is compared, nor the places at which texts were made from secrets.
  private var comparable: (request: RecordedRequest, names: MadeSecretNames) {
    var names = MadeSecretNames()
    var request = self
    request.url = names.numbering(url.withoutFragment)
    request.body = body.comparable(&names)
    for index in headers.indices.sorted(by: { headers[$0].name.lowercased() < headers[$1].name.lowercased() }) {
      request.headers[index].value = names.numbering(headers[index].value)
    }
    return (request, names)
  }

  private func values(of name: String) -> String {
    headers.filter { $0.name.lowercased() == name }.map(\.value).joined(separator: ", ")
  }

  private static func bodyLines(_ mine: Body, _ theirs: Body) -> [((String, String), String)] {
    guard case .parts(let mine) = mine, case .parts(let theirs) = theirs else {
      return [(("body", mine.summary), theirs.summary)]
    }
    var lines: [((String, String), String)] = []
    for index in 0..<max(mine.count, theirs.count) {
      let left = mine.indices.contains(index) ? mine[index].summary : "nothing"
      let right = theirs.indices.contains(index) ? theirs[index].summary : "nothing"
      lines.append((("part \(index + 1)", left), right))
    }
    return lines
  }

  private static func shown(_ text: String) -> String {
    let shown = SecretMarkers.display(text)
    if shown.isEmpty { return "nothing" }
    return CutText.cut(shown, to: 120)
  }
}

extension RecordedRequest.File {
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  init(_ file: FileSlice) {
    path = file.path
    offset = file.offset
    count = file.count
    size = file.identity.size
    modified = file.identity.modified.wholeNanoseconds
  }

  fileprivate var comparable: Self {
    var file = self
    file.path = Self.name(of: path)
    return file
  }

  var summary: String {
    let slice = offset == 0 && count == size ? "" : ", bytes \(offset) to \(offset + count)"
    let changed = CivilTime(.nanoseconds(modified)).rfc3339
    return "file \(path), \(size) bytes, last changed \(changed)\(slice)"
  }
}

extension RecordedRequest.Part {
  fileprivate var inlineSize: Int {
    switch content {
    case .bytes(let bytes): bytes.count + 200
    case .file: 300
    }
  }

  fileprivate var summary: String {
    switch content {
    case .bytes(let bytes): "\(name) = \(String(decoding: bytes.prefix(200), as: UTF8.self))"
    case .file(let file): "\(name) = \(file.summary)"
    }
  }
}

extension RecordedRequest.Body {
  fileprivate func comparable(_ names: inout MadeSecretNames) -> Self {
    switch self {
    case .none: .none
    case .bytes(let bytes): .bytes(names.numbering(bytes))
    case .file(let file): .file(file.comparable)
    case .parts(let parts):
      .parts(
        parts.map { part in
          var part = part
          part.name = names.numbering(part.name)
          part.fileName = part.fileName.map { names.numbering($0) }
          switch part.content {
          case .bytes(let bytes): part.content = .bytes(names.numbering(bytes))
          case .file(let file): part.content = .file(file.comparable)
          }
          return part
        })
    }
  }

  /// The size of what is stored of it, in bytes.
  var inlineSize: Int {
    switch self {
    case .none, .file: 0
    case .bytes(let bytes): bytes.count
    case .parts(let parts): parts.reduce(0) { $0 + $1.inlineSize }
    }
  }

  /// The body in one line.
  public var summary: String {
    switch self {
    case .none: "nothing"
    case .bytes(let bytes):
      String(validating: bytes.prefix(200), as: UTF8.self).map { bytes.count > 200 ? "\($0)…" : $0 }
        ?? "\(bytes.count) bytes"
    case .file(let file): file.summary
    case .parts(let parts): "a form of \(parts.count) parts"
    }
  }
}

extension String {
  /// The URL as it is sent. A marker may contain the character that begins a fragment.
  fileprivate var withoutFragment: String {
    var isInMarker = false
    let end = utf8.firstIndex { byte in
      switch byte {
      case 1: isInMarker = true
      case UInt8(ascii: "}"): isInMarker = false
      default: break
      }
      return byte == UInt8(ascii: "#") && !isInMarker
    }
    return end.map { String(self[..<$0]) } ?? self
  }
}
