import Requests

/// The profiles that other tools of AWS have in `~/.aws/config` and `~/.aws/credentials`.
struct AWSProfileFiles {
  /// The settings of each profile, by name. Those of the second file count more.
  private var profiles: [String: [String: String]] = [:]

  /// - Parameters:
  ///   - read: nil: there is no such file.
  init(_ variables: [String: String], read: (_ path: String) -> [UInt8]?) {
    let home = variables["HOME"].map { "\($0)/.aws" }
    if let path = variables["AWS_CONFIG_FILE"] ?? home.map({ "\($0)/config" }), let bytes = read(path) {
      take(String(decoding: bytes, as: UTF8.self), prefix: "profile ")
    }
    if let path = variables["AWS_SHARED_CREDENTIALS_FILE"] ?? home.map({ "\($0)/credentials" }), let bytes = read(path)
    {
      take(String(decoding: bytes, as: UTF8.self), prefix: "")
    }
  }

  subscript(_ name: String) -> [String: String]? { profiles[name] }

  var names: [String] { profiles.keys.sorted() }

  private mutating func take(_ text: String, prefix: String) {
    var section: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let trimmed = String(line).trimmed
      if trimmed.isEmpty || trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
      if trimmed.hasPrefix("["), let end = trimmed.firstIndex(of: "]") {
        let name = String(trimmed[trimmed.index(after: trimmed.startIndex)..<end]).trimmed
        section = name == "default" ? name : name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)).trimmed : nil
        if let section, profiles[section] == nil { profiles[section] = [:] }
        continue
      }
      // What is indented belongs to the setting before it.
      guard let section, line.first?.isWhitespace == false, let equals = trimmed.firstIndex(of: "=") else { continue }
      let name = String(trimmed[..<equals]).trimmed.lowercased()
      profiles[section]?[name] = String(trimmed[trimmed.index(after: equals)...]).trimmed
    }
  }
}
