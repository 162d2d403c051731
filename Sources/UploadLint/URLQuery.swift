/// The query of a URL, as it is written.
enum URLQuery {
  /// Each name with its value, both still percent-encoded.
  static func items(of url: String) -> [(name: Substring, value: Substring)] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    return url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return (name, item.dropFirst(name.count + 1))
    }
  }
}
