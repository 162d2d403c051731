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
    var found: [RequestDifference] = []
    func compare(_ subject: String, _ mine: String, _ theirs: String) {
      guard mine != theirs else { return }
      found.append(
        RequestDifference(
          subject, recorded: Self.shown(mine), now: Self.shown(theirs)))
    }
    compare("method", method, other.method)
    compare("url", url, other.url)
    var names: [String] = []
    for name in (headers + other.headers).map({ $0.name.lowercased() }) where !names.contains(name) {
      names.append(name)
    }
    for name in names { compare("header \(name)", values(of: name), other.values(of: name)) }
    compare("headers left out", omittedHeaders ?? "", other.omittedHeaders ?? "")
    if body.comparable != other.body.comparable {
      for (mine, theirs) in Self.bodyLines(body.comparable, other.body.comparable) { compare(mine.0, mine.1, theirs) }
      if found.isEmpty { found.append(RequestDifference("body", recorded: body.summary, now: other.body.summary)) }
    }
    return found
  }

  /// Whether both would have the server do the same thing: method, URL and body are the same.
  package func asksForTheSame(as other: RecordedRequest) -> Bool {
    method == other.method && url == other.url && body.comparable == other.body.comparable
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

  var summary: String {
    let slice = offset == 0 && count == size ? "" : ", bytes \(offset) to \(offset + count)"
    return "file \(path), \(size) bytes, last changed \(modified / 1_000_000_000)\(slice)"
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
  /// The location of a file does not matter: only its identity is compared.
  fileprivate var comparable: Self {
    switch self {
    case .none, .bytes: return self
    case .file(var file):
      file.path = RecordedRequest.File.name(of: file.path)
      return .file(file)
    case .parts(var parts):
      for index in parts.indices {
        if case .file(var file) = parts[index].content {
          file.path = RecordedRequest.File.name(of: file.path)
          parts[index].content = .file(file)
        }
      }
      return .parts(parts)
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
