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

  /// Whether there is still such a value in a text.
  static func areIn(_ text: String) -> Bool { !PresignedValues.ranges(in: Array(text.utf8)).isEmpty }
}
