/// Where a request goes, as it is written: `"/sheets/\(sheet)/snapshots"` below an API's base, or `.url(snapshot.url)`.
///
/// A value in a literal is one path segment or one query value: it is percent-encoded, and a segment that it would make
/// empty, `.` or `..` is refused, so no value leads to a resource other than the one the literal names.
public struct RequestAddress: Hashable, Sendable {
  /// The result of the literal.
  public let target: Result<RequestTarget, RequestAddressError>

  /// An absolute URL that a user or a server gave. It is sent byte for byte, as presigned URLs have to be.
  public static func url(_ text: String) -> RequestAddress {
    RequestAddress(target: .success(.url(text)))
  }

  private init(target: Result<RequestTarget, RequestAddressError>) {
    self.target = target
  }
}

/// Why an address is invalid.
public enum RequestAddressError: Error, Hashable, Sendable {
  /// It begins neither with `/` or `?` nor with `http://` or `https://`.
  case beginning(String)
  /// The literal has a character that is not allowed in a URL, or a fragment.
  case character(String)
  /// A value makes a path segment empty, `.` or `..`.
  case segment(String, in: String)
}

extension RequestAddress: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    /// The path segment that is being written, and whether a value is part of it.
    private var segment = ""
    private var hasValue = false
    private var isInQuery = false
    fileprivate var refusedSegment: String?

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
      text += literal
      guard !isInQuery else { return }
      for character in literal.unicodeScalars {
        switch character {
        case "/": endSegment()
        case "?":
          endSegment()
          isInQuery = true
          return
        default: segment.unicodeScalars.append(character)
        }
      }
    }

    /// Adds a value as one path segment, or as one query value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let encoded = PercentEncoding.component.encode(value.description)
      text += encoded
      segment += encoded
      hasValue = true
    }

    fileprivate mutating func endSegment() {
      if hasValue, !isInQuery, ["", ".", ".."].contains(segment) { refusedSegment = refusedSegment ?? segment }
      segment = ""
      hasValue = false
    }
  }

  public init(stringLiteral text: String) {
    var interpolation = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(text)
    self.init(stringInterpolation: interpolation)
  }

  public init(stringInterpolation: StringInterpolation) {
    var interpolation = stringInterpolation
    interpolation.endSegment()
    let text = interpolation.text
    let isURL = text.hasPrefix("http://") || text.hasPrefix("https://")
    if !isURL, !text.hasPrefix("/"), !text.hasPrefix("?") {
      target = .failure(.beginning(text))
    } else if let segment = interpolation.refusedSegment {
      target = .failure(.segment(segment, in: text))
    } else if !text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) {
      target = .failure(.character(text))
    } else {
      target = .success(isURL ? .url(text) : .path(text, profile: nil))
    }
  }
}
