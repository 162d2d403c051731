internal import HTTPTypes
public import JSONValue
public import Requests

/// The ways out of the language: whoever shows, stores or sends a value names the outlet it leaves by.
extension Value {
  /// What becomes of a value that leaves.
  public enum Leaving: Hashable, Sendable {
    /// This text, and the secrets it was made from: nobody may have one without the other.
    case text(String, secrets: Set<Secret>)
    /// `••••` in its place.
    case hidden
    /// It was made from a secret, and no such value may leave there.
    case refused
  }

  /// The value on its way out: a text as it is, anything else as it is printed.
  public func leaving(by outlet: Outlet) -> Leaving {
    switch outlet.treatment {
    case .accompanied: .text(text ?? plainPrinted, secrets: exposed.secrets)
    case .hidden: isOpen ? .text(text ?? plainPrinted, secrets: taint.secrets) : .hidden
    case .refused: taint.isEmpty ? .text(text ?? plainPrinted, secrets: []) : .refused
    }
  }

  /// The value as JSON on its way out; nil if it is not JSON, or is refused.
  public func json(leavingBy outlet: Outlet) -> (json: JSON, secrets: Set<Secret>)? {
    guard let json else { return nil }
    switch outlet.treatment {
    case .accompanied: return (json, exposed.secrets)
    case .hidden: return isOpen ? (json, taint.secrets) : (.string(Self.mask), [])
    case .refused: return taint.isEmpty ? (json, []) : nil
    }
  }

  /// The JSON that can be written in its place, as a literal; nil if it is not JSON itself, or is refused.
  public func literal(leavingBy outlet: Outlet) -> JSON? {
    guard case .json = content else { return nil }
    return json(leavingBy: outlet)?.json
  }

  /// What is shown instead of a value that was made from a secret.
  public static let mask = "••••"

  /// What a person sees of it: JSON indented, anything else by its description, `••••` for anything made from a secret.
  /// Hiding known secrets in it is up to the one writer.
  public var printed: String { isHidden(at: .screen) ? Self.mask : plainPrinted }

  /// How the value is shown in messages, at most `limit` characters: without what is called a credential, though nobody
  /// declared it. Messages are in the logs of CI.
  ///
  /// - Parameter name: what it is called; nil: nothing.
  func shown(limit: Int = 100, named name: String? = nil) -> String {
    if isHidden(at: .report) { return Self.mask }
    if case .json(.string) = content, let name, SensitiveName.contains(name) { return Self.mask }
    return described(limit: limit) { $0.hidingCredentials(Self.mask) }
  }

  private func isHidden(at outlet: Outlet) -> Bool {
    switch outlet.treatment {
    case .accompanied: false
    case .hidden: !isOpen
    case .refused: !taint.isEmpty
    }
  }

  /// Whether it may be shown where known secrets are hidden. True or false reveals nothing of a text.
  var isOpen: Bool {
    switch content {
    case .json(.bool), .json(.null): true
    default: taint.isKnown
    }
  }

  private var plainPrinted: String {
    if let json { return String(decoding: JSONPrinter.pretty.print(json), as: UTF8.self) }
    return described(limit: 1_000)
  }

  private func described(limit: Int, _ change: (JSON) -> JSON = { $0 }) -> String {
    let text =
      switch content {
      case .file(let file): "file \(file.path), \(file.count) bytes"
      case .chunk(let file, let number, _): "piece \(number) of \(file.path), \(file.count) bytes"
      case .exchange(let exchange): "an exchange with status \(exchange.response.status.code)"
      case .bytes(let bytes): "\(bytes.count) bytes"
      case .duration(let duration): "\(duration)"
      case .request(let request, _): "a request to \(request.url)"
      default: json.map { change($0).description } ?? kind
      }
    return CutText.cut(text, to: limit)
  }
}
