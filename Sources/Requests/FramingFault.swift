public import HTTPTypes

/// A header field that makes a false statement about the message or its destination. Two readers of the same bytes
/// would then disagree about where one request ends and the next begins (RFC 9112 §11.2).
public enum FramingFault: Error, Hashable, Sendable {
  /// A `Content-Length` that is not the body's, in bytes.
  case length(String, body: Int?)
  /// A `Host` that is not the target's.
  case host(String, target: String?)
  /// A field that nobody may set: this program does not send what it promises.
  case reserved(String)
  /// A `Connection` that names a framing field, or another protocol.
  case connection(String)
  /// A field that may appear only once.
  case repeated(String)
  /// A field without which the message would not be one, or could not be told from the next.
  case omitted(String)

  /// The fault of one field, as far as it can be known yet.
  ///
  /// - Parameters:
  ///   - value: nil: not known yet.
  ///   - bodySize: in bytes; nil: not known yet.
  ///   - origin: where the request goes; nil: not known yet.
  public init?(_ name: HTTPField.Name, value: String?, bodySize: Int?, origin: Origin?) {
    guard Self.mayBeFraming(name) else { return nil }
    switch name {
    case .transferEncoding, .trailer, .upgrade, Self.http2Settings:
      self = .reserved(name.rawName)
    case .contentLength:
      guard let value else { return nil }
      let isLength = bodySize.map { value == "\($0)" } ?? value.utf8.allSatisfy { (0x30...0x39).contains($0) }
      if isLength, !value.isEmpty { return nil }
      self = .length(value, body: bodySize)
    case Self.hostField:
      guard let value else { return nil }
      let isTarget = origin.map { Self.names($0).contains(value.lowercased()) } ?? !value.isEmpty
      if isTarget { return nil }
      self = .host(value, target: origin?.authority)
    case .connection:
      let options = value?.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } } ?? []
      guard let option = options.first(where: Self.refusedOptions.contains) else { return nil }
      self = .connection(option)
    default:
      return nil
    }
  }

  /// The fault of leaving out a field.
  public init?(omitting name: HTTPField.Name) {
    guard [.contentLength, .transferEncoding, Self.hostField].contains(name) else { return nil }
    self = .omitted(name.rawName)
  }

  /// The first fault of the fields of a request that is about to be sent.
  public init?(in headers: HTTPFields, bodySize: Int, origin: Origin) {
    var seen: Set<HTTPField.Name> = []
    for field in headers where Self.mayBeFraming(field.name) {
      if let fault = FramingFault(field.name, value: field.value, bodySize: bodySize, origin: origin) {
        self = fault
        return
      }
      let isSingle = field.name == .contentLength || field.name == Self.hostField
      if isSingle, !seen.insert(field.name).inserted {
        self = .repeated(field.name.rawName)
        return
      }
    }
    return nil
  }

  /// Whether a field of this name has to be looked at: lengths tell most names apart, and cost less than comparing them.
  private static func mayBeFraming(_ name: HTTPField.Name) -> Bool {
    switch name.rawName.utf8.count {
    // Host; Trailer, Upgrade; Connection; Content-Length, HTTP2-Settings; Transfer-Encoding.
    case 4, 7, 10, 14, 17: true
    default: false
    }
  }

  private static func names(_ origin: Origin) -> [String] {
    [origin.authority, origin.hostField, "\(origin.host):\(origin.port)"]
  }

  private static let hostField = HTTPField.Name("Host") ?? .contentLength
  /// Goes with an upgrade (RFC 7540 §3.2.1).
  private static let http2Settings = HTTPField.Name("HTTP2-Settings") ?? .upgrade
  private static let refusedOptions: Set<String> = [
    "content-length", "host", "http2-settings", "trailer", "transfer-encoding", "upgrade",
  ]
}

extension FramingFault: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .length(let value, let size?): "Content-Length says \"\(value)\", but the body has \(size) bytes"
    case .length(let value, nil): "Content-Length says \"\(value)\", which is not a number of bytes"
    case .host(let value, let target?): "Host says \"\(value)\", but the request goes to \(target)"
    case .host: "Host is empty"
    case .reserved(let name): "\(name) promises what is not sent"
    case .connection(let option): "Connection names \"\(option)\", which does not concern the connection alone"
    case .repeated(let name): "\(name) appears twice"
    case .omitted(let name): "\(name) cannot be left out"
    }
  }

  /// What to do about it.
  public var advice: String {
    switch self {
    case .length, .repeated: "leave it out: it is set to match what is actually sent"
    case .host: "leave it out; to reach another address under that name, give a profile: resolve NAME: ADDRESS"
    case .omitted: "remove this: it is set to match what is actually sent"
    case .reserved, .connection: "leave it out: headers do not decide how a message ends"
    }
  }
}
