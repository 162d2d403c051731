internal import HTTPTypes
internal import JSONValue
internal import Presentation
internal import Requests
internal import UploaderCore

/// The values of a request that a server signed, which nobody sees: a line for a shell has variables in their place.
enum PresignedParts {
  /// Shorter ones may be any other text.
  private static let fewestBytes = 8

  /// Each as it is written in the request, by its name.
  static func secrets(in sent: SentRequest, of description: RequestDescription) -> Set<Secret> {
    var texts: [(before: String, name: String, value: String)] = []
    for item in CredentialNames.items(ofURL: sent.url) {
      texts.append(("?\(item.name)=", item.name, item.value))
    }
    for field in sent.headers {
      texts.append(("\"\(field.name.rawName)\": ", field.name.rawName, field.value))
    }
    if case .multipart(let form) = description {
      for part in form.parts {
        guard case .bytes(let bytes) = part.content, let text = String(validating: bytes, as: UTF8.self) else {
          continue
        }
        texts.append(("\"\(part.name)\": ", part.name, text))
      }
    }
    // Some names are common words: which values are hidden is decided where everything is shown.
    texts.removeAll { !SensitiveName.isSignature($0.name) || $0.value.utf8.count < fewestBytes }
    let shown = NamedValues.shown(following: texts.map { ($0.before, $0.value) }, redact: Redactor([]).redact)
    return Set(
      zip(texts, shown).compactMap { text, shown in
        shown == text.value ? nil : Secret(text.value, name: text.name, for: [])
      })
  }

  /// The number of the last response that has the longest of them in its body, from 1; nil: none has.
  static func source(of signed: Set<Secret>, in exchanges: some RandomAccessCollection<Exchange>) -> Int? {
    let texts = signed.map { $0.withExposedText { Array($0.utf8) } }
    guard let longest = texts.max(by: { $0.count < $1.count }) else { return nil }
    let search = ByteSearch([longest])
    let source = exchanges.enumerated().reversed().first { _, exchange in
      let body = exchange.response.body
      guard body.count < 1 << 20, let bytes = try? body.bytes() else { return false }
      return search.firstMatch(in: bytes, from: 0) != nil
    }
    return source.map { $0.offset + 1 }
  }

  /// Whether there is still such a value in a text.
  static func areIn(_ text: String) -> Bool { !PresignedValues.ranges(in: Array(text.utf8)).isEmpty }
}
