internal import Requests
internal import UploaderCore

/// A record that contains secrets. The only ways to get data out of it are those that conceal them.
struct Unconcealed<Content: Record> {
  /// For `RecordWriter`, which conceals what it writes of it.
  let record: Content

  init(_ record: Content) {
    self.record = record
  }

  /// - Parameter bodyLimit: a larger body is not searched, in bytes.
  func concealed(_ concealment: Concealment, bodyLimit: Int = RunStore.inlineLimit) -> Content {
    record.mappingTexts(bodyLimit: bodyLimit, where: concealment.mayChange) { bytes, kind in
      switch kind {
      case .open: bytes
      case .kept: concealment.markers.conceal(bytes)
      case .told: concealment.told(bytes)
      }
    }
  }
}

/// How secrets are kept out of the store.
struct Concealment {
  /// Represent what has to be complete when a run continues.
  var markers = SecretMarkers.none
  /// Hide cookies, in text written for people that is not needed to continue.
  var masks: SecretMarkers?

  /// Text written for people.
  func text(_ text: String) -> String {
    let text = markers.concealCut(text)
    return masks?.concealCut(text) ?? text
  }

  /// False for most texts, and found out without a copy.
  fileprivate func mayChange(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    markers.mayChange(bytes) || masks?.mayChange(bytes) ?? false
  }

  fileprivate func told(_ bytes: [UInt8]) -> [UInt8] {
    let bytes = markers.concealCut(bytes)
    return masks?.concealCut(bytes) ?? bytes
  }
}

extension Record {
  /// The record with its texts changed; the body of its response too, unless it is larger than the limit, in bytes.
  ///
  /// - Parameter mayChange: false for a text that stays as it is.
  func mappingTexts(
    bodyLimit: Int = RunStore.inlineLimit,
    where mayChange: @escaping (UnsafeBufferPointer<UInt8>) -> Bool = { _ in true },
    _ change: @escaping ([UInt8], TextKind) -> [UInt8]
  ) -> Self {
    var mapper = TextMapper(mayChange: mayChange, change: change, bodyLimit: bodyLimit)
    var record = self
    record.code(with: &mapper)
    return record
  }
}

extension RecordedStep {
  /// The step with markers shown as people see them.
  package var showingMarkers: RecordedStep { mappingTexts { bytes, _ in SecretMarkers.display(bytes) } }
}

/// Changes the texts of a record, and nothing else.
private struct TextMapper: RecordCoder {
  typealias Failure = Never

  let mayChange: (UnsafeBufferPointer<UInt8>) -> Bool
  let change: ([UInt8], TextKind) -> [UInt8]
  let bodyLimit: Int

  func number(_ tag: UInt, _ number: inout Int) {}

  func number(_ tag: UInt, _ number: inout Int?) {}

  func numbers(_ tag: UInt, _ numbers: inout [Int]) {}

  func value<Value: RawRepresentable<Int>>(_ tag: UInt, _ value: inout Value) {}

  func text(_ tag: UInt, _ text: inout String, _ kind: TextKind) {
    guard kind != .open, text.withUTF8(mayChange) else { return }
    text = String(decoding: change(Array(text.utf8), kind), as: UTF8.self)
  }

  func text(_ tag: UInt, _ text: inout String?, _ kind: TextKind) {
    guard var present = text else { return }
    self.text(tag, &present, kind)
    text = present
  }

  func bytes(_ tag: UInt, _ bytes: inout [UInt8]?) {
    guard let present = bytes, present.withUnsafeBufferPointer(mayChange) else { return }
    bytes = change(present, .kept)
  }

  func body(_ tag: UInt, _ body: inout ResponseBody) -> Int? {
    guard body.count <= bodyLimit, let bytes = try? body.bytes(), bytes.withUnsafeBufferPointer(mayChange) else {
      return nil
    }
    body = ResponseBody(change(bytes, .kept))
    return body.count == bytes.count ? nil : bytes.count
  }

  func fields(_ tag: UInt, _ fields: inout [RecordedRequest.Field]) {
    for index in fields.indices {
      text(tag, &fields[index].name, .kept)
      text(tag, &fields[index].value, .kept)
    }
  }

  mutating func record<Inner: Record>(_ tag: UInt, _ record: inout Inner) { record.code(with: &self) }

  mutating func record<Inner: Record>(_ tag: UInt, _ record: inout Inner?) {
    guard var present = record else { return }
    present.code(with: &self)
    record = present
  }

  mutating func records<Inner: Record>(_ tag: UInt, _ records: inout [Inner]) {
    for index in records.indices { records[index].code(with: &self) }
  }
}
