internal import CCurl
internal import HTTPTypes
internal import POSIX
internal import Requests

/// The header lines that libcurl adds to its own.
final class HeaderList {
  private let fields: [(name: String, value: String)]
  private let omitted: [HTTPField.Name]
  private let hasBody: Bool
  /// libcurl uses it as long as a transfer lasts.
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  /// - Parameters:
  ///   - omitted: the names of fields that must not be added; one that is given is sent nevertheless.
  ///   - hasBody: whether libcurl sends a body with them.
  init(_ fields: HTTPFields, omitting omitted: [HTTPField.Name], hasBody: Bool) {
    self.fields = fields.map { ($0.name.rawName, $0.value) }
    self.omitted = omitted
    self.hasBody = hasBody
    for field in fields where field.name != .cookie {
      // libcurl's notation for a field without a value is a semicolon.
      append(field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
    }
    // However many there are, they go into one field (RFC 6265 §5.4).
    if let cookies = fields[.cookie] { append(cookies.isEmpty ? "Cookie;" : "Cookie: \(cookies)") }
    func isMissing(_ name: HTTPField.Name) -> Bool { !fields.contains(name) && !omitted.contains(name) }
    if isMissing(.userAgent) { append("User-Agent: workbench/\(ProgramVersion.current)") }
    if isMissing(.acceptEncoding) { append("Accept-Encoding: \(Self.encodings)") }
    // A field with nothing after the colon is one that libcurl must not send on its own.
    // Waiting for "100 Continue" costs a second if the server does not know it. libcurl asks for it only before a body,
    // and compares each line of the list with many names.
    if hasBody, !fields.contains(.expect) { append("Expect:") }
    for name in omitted where !fields.contains(name) && name != .expect { append("\(name.rawName):") }
  }

  deinit {
    curl_slist_free_all(first)
  }

  /// Whether it is the list of these fields, byte for byte: fields count as equal even if their names differ in case,
  /// and texts even if accents are composed differently.
  func isList(of fields: HTTPFields, omitting omitted: [HTTPField.Name], hasBody: Bool) -> Bool {
    self.hasBody == hasBody && self.omitted == omitted && self.fields.count == fields.count
      && self.fields.indices.allSatisfy { index in
        // A field that has a name here would be copied.
        self.fields[index].name.isSame(as: fields[index].name.rawName)
          && self.fields[index].value.isSame(as: fields[index].value)
      }
  }

  private func append(_ line: String) {
    first = line.withCString { curl_slist_append(first, $0) }
  }

  /// Those that this libcurl can decode, but for `deflate`: some servers send it with a checksum and some without (RFC 9110
  /// §8.4.1.2), and each of them knows `gzip`. It would be decoded, too.
  private static let encodings: String = {
    guard let version = curl_version_info(CURLVERSION_FIRST) else { return "identity" }
    let known = [(CURL_VERSION_LIBZ, "gzip"), (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd")]
    // To join them by the library takes a program that sends one request longer than all the rest of this.
    var names = ""
    for (feature, name) in known where version.pointee.features & feature != 0 {
      names += (names.isEmpty ? "" : ", ") + name
    }
    return names.isEmpty ? "identity" : names
  }()
}

extension String {
  /// Whether it is identical to the other byte for byte.
  fileprivate func isSame(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withCString { mine in other.withCString { memcmp(mine, $0, utf8.count) == 0 } }
  }
}
