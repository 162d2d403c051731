internal import JSONValue
internal import POSIX
internal import Requests
internal import UploaderCore

/// Signatures that let anyone who has them upload: they are kept while a run may need them, and dropped when it is
/// done.
package enum PresignedText {
  /// Whether the step contains anything to drop later.
  static func isIn(_ step: RecordedStep) -> Bool {
    if step.response.map({ ([$0.headers] + $0.redirects.map(\.headers)).joined().contains { $0.isNamed("set-cookie") } }
    )
      == true
    {
      return true
    }
    let texts = [step.request.url] + (step.response.map { [$0.sent.url] } ?? [])
    if texts.contains(where: { $0.utf8.count > 20 && holdsSignature(Array($0.utf8)) }) { return true }
    if case .parts(let parts) = step.request.body, parts.contains(where: { isSignature($0.name) }) { return true }
    guard let body = step.response?.body, body.count <= RunStore.inlineLimit, let bytes = try? body.bytes() else {
      return false
    }
    return holdsSignature(bytes)
  }

  /// Whether a body of any length is text that contains any of it.
  static func isIn(_ body: ResponseBody) -> Bool {
    guard let beginning = try? body.bytes(limit: 1024), !beginning.contains(0) else { return false }
    var isFound = false
    var end: [UInt8] = []
    try? body.forEachChunk { chunk in
      if isFound { return }
      isFound = holdsSignature(end + chunk)
      end = chunk.suffix(16)
    }
    return isFound
  }

  /// The fields of signed forms, and what signed URLs, that were sent: a response may repeat them anywhere.
  static func fields(in steps: [RecordedStep]) -> Set<Secret> {
    var found: Set<Secret> = []
    for step in steps {
      for url in Set([step.request.url] + (step.response.map { [$0.sent.url] } ?? [])) where found.count < 64 {
        found.formUnion(PresignedValues.proofs(inURL: url, parts: []))
      }
      guard case .parts(let parts) = step.request.body else { continue }
      for part in parts where isSignature(part.name) {
        // A shorter one may be any other text; and there is one search for all of them.
        guard case .bytes(let bytes) = part.content, bytes.count >= 16, found.count < 64 else { continue }
        found.insert(Secret(String(decoding: bytes, as: UTF8.self), name: part.name, for: []))
      }
    }
    return found
  }

  /// Whether records that are written one after another may contain any of it; if so they are examined one by one.
  static func mayBeIn(_ bytes: [UInt8]) -> Bool {
    holdsSignature(bytes) || contains(bytes, "ookie", rarest: 2)
  }

  package static func isSignature(_ name: String) -> Bool { SensitiveName.isSignature(name) }

  /// A quick check; a match is examined properly when it is dropped.
  private static func holdsSignature(_ bytes: [UInt8]) -> Bool {
    // "gnature" occurs in every scheme's name for it, "olicy" before the policy of a form.
    contains(bytes, "gnature", rarest: 0) || contains(bytes, "olicy\"", rarest: 4) || contains(bytes, "sig=", rarest: 3)
  }

  /// The same for every name of a signature, in any case, and for names with escapes in them.
  private static func mayHoldSignature(_ bytes: [UInt8]) -> Bool {
    let lowercase = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return contains(lowercase, "sig", rarest: 2) || contains(lowercase, "olicy", rarest: 4)
      || contains(lowercase, "credential", rarest: 2) || contains(lowercase, "security-token", rarest: 11)
      || contains(lowercase, "accesskeyid", rarest: 6) || contains(lowercase, "\\u", rarest: 0)
  }

  /// - Parameter rarest: the offset of the needle's byte that is searched for first.
  private static func contains(_ bytes: [UInt8], _ needle: StaticString, rarest: Int) -> Bool {
    let needle = UnsafeBufferPointer(start: needle.utf8Start, count: needle.utf8CodeUnitCount)
    return bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, bytes.count >= needle.count else { return false }
      let end = bytes.count - needle.count
      var offset = rarest
      while offset <= end + rarest,
        let found = memchr(start + offset, Int32(needle[rarest]), end + rarest - offset + 1)
      {
        let place = found - UnsafeMutableRawPointer(mutating: start)
        if needle.indices.allSatisfy({ bytes[place - rarest + $0] == needle[$0] }) { return true }
        offset = place + 1
      }
      return false
    }
  }

  /// The step without them.
  ///
  /// - Parameter limit: bodies up to this size are searched, in bytes.
  package static func dropped(from step: RecordedStep, limit: Int = RunStore.inlineLimit) -> RecordedStep {
    let sent = fields(in: [step])
    let masks = sent.isEmpty ? nil : SecretMarkers(masking: sent)
    var step = masks.map { masks in step.mappingTexts(bodyLimit: limit) { bytes, _ in masks.conceal(bytes) } } ?? step
    step.request.url = url(step.request.url)
    if case .parts(let parts) = step.request.body {
      step.request.body = .parts(
        parts.map { part in
          var part = part
          if isSignature(part.name) { part.content = .bytes(Array(mark.utf8)) }
          return part
        })
    }
    guard var response = step.response else { return step }
    response.sent.url = url(response.sent.url)
    for index in response.headers.indices { response.headers[index].value = url(response.headers[index].value) }
    for index in response.redirects.indices {
      response.redirects[index].sent.url = url(response.redirects[index].sent.url)
      for field in response.redirects[index].headers.indices {
        response.redirects[index].headers[field].value = url(response.redirects[index].headers[field].value)
      }
    }
    if response.body.count <= limit, let bytes = try? response.body.bytes(),
      let body = dropped(fromJSON: bytes)
    {
      response.body = ResponseBody(body)
    }
    step.response = response
    return step
  }

  /// nil: it is not JSON, or nothing in it has to be dropped.
  private static func dropped(fromJSON bytes: [UInt8]) -> [UInt8]? {
    guard mayHoldSignature(bytes) else { return nil }
    // A marker begins with a byte that JSON does not allow in strings.
    let opening = Array(RandomName.make(16).utf8)
    let hasMarkers = bytes.contains(1)
    let plain = hasMarkers ? bytes.flatMap { $0 == 1 ? opening : [$0] } : bytes
    guard let json = try? JSON(parsing: plain) else { return nil }
    let dropped = value(json, name: "")
    guard dropped != json else { return nil }
    let printed = JSONPrinter.compact.print(dropped)
    return hasMarkers ? printed.replacing(opening, with: [1]) : printed
  }

  /// A URL that contains it is still a URL.
  package static let mark = "redacted"

  /// A URL, or any text that contains one, without the values of signing items of its query and its fragment.
  ///
  /// - Parameter isHidden: whether the value of an item of that name is removed.
  package static func url(_ text: String, without isHidden: (String) -> Bool = PresignedText.isSignature) -> String {
    guard text.utf8.contains(UInt8(ascii: "=")), text.utf8.contains(where: { "?#".utf8.contains($0) }) else {
      return text
    }
    var result = ""
    var rest = Substring(text)
    while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "&" || $0 == "#" }) {
      let start = rest.index(after: mark)
      result += rest[..<start]
      rest = rest[start...]
      guard let equals = rest.firstIndex(where: { $0 == "=" || $0 == "&" }), rest[equals] == "=",
        isHidden(String(rest[..<equals]))
      else { continue }
      result += rest[..<rest.index(after: equals)]
      result += Self.mark
      let end = rest[equals...].firstIndex { "&#\"<> ".contains($0) } ?? rest.endIndex
      rest = rest[end...]
    }
    return result + rest
  }

  /// Any text; JSON keeps its layout unless something in it has to be removed.
  static func text(_ text: String) -> String {
    guard holdsSignature(Array(text.utf8)) else { return text }
    guard let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first), let json = try? JSON(parsing: text)
    else { return url(text) }
    let dropped = value(json, name: "")
    return dropped == json ? text : String(decoding: JSONPrinter.pretty.print(dropped), as: UTF8.self)
  }

  private static func value(_ json: JSON, name: String) -> JSON {
    switch json {
    case .object(let object): .object(JSONObject(object.members.map { ($0.key, value($0.value, name: $0.key)) }))
    case .array(let elements): .array(elements.map { value($0, name: name) })
    case .string(let text): isSignature(name) ? .string(mark) : .string(url(text))
    case .number, .bool, .null: json
    }
  }
}

/// What a screen shows of presigned URLs and of forms that contain a signature.
public enum PresignedDisplay {
  /// A URL, or any text that contains one, without the values of signing query items; in JSON also without the members
  /// of a form.
  public static func text(_ text: String) -> String {
    PresignedText.text(text)
  }

  /// A step without signatures, wherever they appear in it.
  ///
  /// - Parameter limit: bodies up to this size are searched, in bytes.
  public static func step(_ step: RecordedStep, limit: Int) -> RecordedStep {
    PresignedText.dropped(from: step, limit: limit)
  }

  /// A text of the step's response, without what its request was signed with.
  package static func text(_ text: String, of step: RecordedStep) -> String {
    let sent = PresignedText.fields(in: [step])
    return PresignedText.text(sent.isEmpty ? text : SecretMarkers(masking: sent).conceal(text))
  }

  /// The value of a form's field.
  public static func value(_ value: String, of name: String) -> String {
    PresignedText.isSignature(name) ? PresignedText.mark : value
  }
}
