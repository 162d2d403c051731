internal import JSONValue
package import Requests
internal import Synchronization
internal import UploaderCore

// What a run is made from, as a text that another store can keep.

extension RunSetup {
  /// As one text, with markers in place of secrets.
  package func stored(hiding secrets: Set<Secret>) -> String {
    let markers = SecretMarkers(secrets)
    let json: JSON = [
      "parameters": parameters.mapStrings(markers.conceal),
      "texts": .array(texts.map { [.string($0.name), .string(markers.conceal($0.text))] }),
    ]
    return json.text
  }

  package init(stored text: String, kind: String, name: String) throws(StoreError) {
    let json = try JSON(stored: text)
    let texts = (json["texts"]?.array ?? []).compactMap { entry in
      entry[0]?.string.flatMap { name in entry[1]?.string.map { RunText(name: name, text: $0) } }
    }
    self.init(kind: kind, name: name, parameters: json["parameters"] ?? .null, texts: texts)
  }
}

extension RunJournal {
  /// A text without the secrets that are known by now.
  package func concealed(_ text: String) -> String { state.withLock { $0.concealment.text(text) } }
}
