internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
package import Requests
package import UploaderCore

/// What a step without a label is called in a file: its method and the last word of its path, `post-snapshots`.
package enum StepName {
  /// - Parameter redactor: no word of the path that it hides becomes a name.
  package static func name(of exchange: Exchange, hiding redactor: Redactor) -> String {
    let request = exchange.firstRequest
    let url = request.url
    let address = url.prefix { $0 != "?" && $0 != "#" }
    let path = address.firstRange(of: "://").map { address[$0.upperBound...].drop { $0 != "/" } } ?? address
    let words = path.split(separator: "/").map { $0.percentDecoded }.filter(isWord)
    let noun =
      words.last { redactor.redact($0) == $0 }
      ?? request.origin.host.split(separator: ".").map(String.init).first(where: isWord)
    let method = request.method.rawValue.lowercased()
    let parts = (noun ?? "").lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.prefix(3)
    return ([method[...]] + parts).joined(separator: "-")
  }

  /// Whether people would call it a name: identifiers contain digits.
  private static func isWord(_ segment: String) -> Bool {
    segment.first.map { $0.isASCII && $0.isLetter } ?? false && segment.count <= 24
      && !segment.contains(where: \.isNumber)
  }
}

extension SavedStep {
  /// Whether both ask for the same thing in the same way, and change nothing.
  package func isSameLook(as other: SavedStep) -> Bool {
    ["GET", "HEAD"].contains(sent.method.rawValue) && RequestLikeness(exchange) == RequestLikeness(other.exchange)
      && sent.bodySize == 0 && other.sent.bodySize == 0 && step.repetition == nil
      && step.clauses.filter { !$0.isContent } == other.step.clauses.filter { !$0.isContent }
      && exchange.profile == other.exchange.profile && numbers.last == other.number - 1
      // One that brought another token is another response, and each may have been used.
      && exchange.credentials.isSubset(of: other.exchange.credentials)
  }
}

extension Exchange {
  /// The texts in the response whose names say that they are secrets.
  fileprivate var credentials: Set<String> {
    guard self.response.isJSON, let bytes = try? self.response.body.bytes(limit: 1 << 20),
      let json = try? JSON(parsing: bytes)
    else {
      return []
    }
    var found: Set<String> = []
    Self.collect(json, isSecret: false, &found)
    return found
  }

  private static func collect(_ json: JSON, isSecret: Bool, _ found: inout Set<String>) {
    switch json {
    case .object(let object):
      for member in object.members {
        collect(member.value, isSecret: isSecret || SensitiveName.contains(member.key), &found)
      }
    case .array(let elements): for element in elements { collect(element, isSecret: isSecret, &found) }
    case .string(let text): if isSecret { found.insert(text) }
    case .number, .bool, .null: break
    }
  }
}
