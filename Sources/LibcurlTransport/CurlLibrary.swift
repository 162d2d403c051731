internal import CCurl
internal import POSIX

/// The libcurl that this process runs with, which need not be the one it was built with.
package struct CurlLibrary: Hashable, Sendable {
  /// Something that a libcurl may lack.
  package enum Feature: String, Hashable, Sendable, CaseIterable {
    case tls = "TLS"
    case http2 = "HTTP/2"
    case gzip
    case brotli
    case zstd
    case internationalNames = "international host names"
    case publicSuffixes = "public suffixes"
    case asynchronousNames = "host names without waiting"
  }

  /// `7.88.1`
  package var version: String
  /// What it was built with, in its own words: `OpenSSL/3.0.15`, `nghttp2/1.52.0`.
  package var parts: [String]
  package var features: Set<Feature>
  /// The file and the directory with the authorities that it trusts, as far as it says.
  package var authorityFile: String?
  package var authorityDirectory: String?

  package init(
    version: String, parts: [String], features: Set<Feature>, authorityFile: String?, authorityDirectory: String?
  ) {
    self.version = version
    self.parts = parts
    self.features = features
    self.authorityFile = authorityFile
    self.authorityDirectory = authorityDirectory
  }

  /// Opens it and sets it up, for somebody who is about to send something. As long as there is only one thread, what
  /// the system does for each of its pages is cheapest.
  package static func prepare() { OpenedCurl.prepare() }

  /// nil if there is none.
  package static var current: CurlLibrary? {
    guard curl_library() != nil else { return nil }
    let words = String(cString: curl_version()).split(separator: " ").map(String.init)
    var library = CurlLibrary(
      version: words.first.map { String($0.drop { $0 != "/" }.dropFirst()) } ?? "",
      // libpsl/0.21.2 (+libidn2/2.3.3)
      parts: words.dropFirst().filter { !$0.hasPrefix("(") },
      features: [], authorityFile: nil, authorityDirectory: nil)
    guard let information = curl_version_info(CURLVERSION_SEVENTH)?.pointee else { return library }
    library.features = Set(Feature.allCases.filter { Int(information.features) & $0.bit != 0 })
    // An older library returns a shorter structure.
    if information.age.rawValue >= CURLVERSION_SEVENTH.rawValue {
      library.authorityFile = information.cainfo.map { String(cString: $0) }
      library.authorityDirectory = information.capath.map { String(cString: $0) }
    }
    return library
  }
}

extension CurlLibrary.Feature {
  fileprivate var bit: Int {
    switch self {
    case .tls: 1 << 2
    case .gzip: 1 << 3
    case .asynchronousNames: 1 << 7
    case .internationalNames: 1 << 10
    case .http2: 1 << 16
    case .publicSuffixes: 1 << 20
    case .brotli: 1 << 23
    case .zstd: 1 << 26
    }
  }
}
